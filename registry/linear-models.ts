import { MetaFile, Snapshot, TargetFile, Targets } from '@tufjs/models'

/**
 * `@tufjs/models` copies all it has read for each further target of a role and each further role of a snapshot, on the
 * way in and on the way out: four thousand targets take seconds, and a role as long as it may be stops a host for minutes.
 * Importing this replaces the four functions by ones that go through the list once and say the same.
 */

type Json = ReturnType<Targets['toJSON']>

const isRecordOfObjects = (value: unknown): value is Record<string, Json> =>
	typeof value === 'object' &&
	value !== null &&
	!Array.isArray(value) &&
	Object.values(value).every(one => typeof one === 'object' && one !== null && !Array.isArray(one))

// Not by assignment: a member may be called `__proto__`.
function mapped<From, To>(record: Readonly<Record<string, From>>, to: (value: From, key: string) => To) {
	return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value, key)]))
}

/** The same without the long list. */
const without = <T extends object>(whole: T, list: keyof T): T => Object.create(whole, { [list]: { value: {} } })

const targets = { read: Targets.fromJSON, write: Targets.prototype.toJSON }
const snapshot = { read: Snapshot.fromJSON, write: Snapshot.prototype.toJSON }

Targets.fromJSON = data => {
	// What is of another shape is refused in the library's words.
	if (!isRecordOfObjects(data.targets)) return targets.read.call(Targets, data)
	const { delegations, ...rest } = targets.read.call(Targets, { ...data, targets: {} })
	return new Targets({
		...rest,
		...(delegations && { delegations }),
		targets: mapped(data.targets, (target, path) => TargetFile.fromJSON(path, target)),
	})
}

Targets.prototype.toJSON = function () {
	const bare = targets.write.call(without(this, 'targets'))
	return { ...bare, targets: mapped(this.targets, target => target.toJSON()) }
}

Snapshot.fromJSON = data => {
	if (!isRecordOfObjects(data.meta)) return snapshot.read.call(Snapshot, data)
	const rest = snapshot.read.call(Snapshot, { ...data, meta: {} })
	return new Snapshot({ ...rest, meta: mapped(data.meta, file => MetaFile.fromJSON(file)) })
}

Snapshot.prototype.toJSON = function () {
	const bare = snapshot.write.call(without(this, 'meta'))
	return { ...bare, meta: mapped(this.meta, file => file.toJSON()) }
}
