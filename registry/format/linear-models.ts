import { MetaFile, Snapshot, TargetFile, Targets } from '@tufjs/models'
import { DelegatedRole } from '@tufjs/models/dist/role.js'
import { fitsPattern } from './path-pattern.ts'

/**
 * Replaces five functions of `@tufjs/models` by linear ones with the same results. For each target of a role and each
 * role of a snapshot, the library copies everything read so far, when parsing and when serializing. Four thousand
 * targets take seconds; a role of the maximum length stops a host for minutes. It reads patterns of a delegation with
 * `minimatch`, which knows braces and nested groups: one pattern of a publisher stops a host for ever.
 */

type Json = ReturnType<Targets['toJSON']>

const isRecordOfObjects = (value: unknown): value is Record<string, Json> =>
	typeof value === 'object' &&
	value !== null &&
	!Array.isArray(value) &&
	Object.values(value).every(one => typeof one === 'object' && one !== null && !Array.isArray(one))

// Not by assignment, because a member may be called `__proto__`.
function mapped<From, To>(record: Readonly<Record<string, From>>, to: (value: From, key: string) => To) {
	return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value, key)]))
}

/** Returns the object without the long list. */
const without = <T extends object>(whole: T, list: keyof T): T => Object.create(whole, { [list]: { value: {} } })

const targets = { read: Targets.fromJSON, write: Targets.prototype.toJSON }
const snapshot = { read: Snapshot.fromJSON, write: Snapshot.prototype.toJSON }

Targets.fromJSON = data => {
	// The library rejects other shapes with its message.
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

const { isDelegatedPath } = DelegatedRole.prototype

DelegatedRole.prototype.isDelegatedPath = function (path) {
	return this.paths ? this.paths.some(pattern => fitsPattern(path, pattern)) : isDelegatedPath.call(this, path)
}
