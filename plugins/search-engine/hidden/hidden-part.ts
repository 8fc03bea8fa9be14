import type { HiddenColumns, HiddenPart } from '@roundhouse/kit'
import { isJsonObject, type JsonObject } from '@roundhouse/kit'
import { numberOf, objectOf } from '../transport/answer.ts'
import { matchesPattern } from '../transport/pattern.ts'
import type { Version } from '../transport/product.ts'
import { pathOf } from '../transport/request-path.ts'
import type { Transport } from '../transport/transport.ts'
import { type IndexDefinition, lookUpsOf, partOf, whyUnchanging } from './definition.ts'

interface Cluster {
	readonly transport: Transport
	readonly version: Version
}

interface Asked {
	readonly table: string
	readonly marks: readonly HiddenColumns[]
}

/** Reads what marks hide of a table. @throws DriverError if the cluster refuses */
export async function readHiddenPart(
	{ transport, version }: Cluster,
	{ table, marks }: Asked,
	signal: AbortSignal,
): Promise<HiddenPart> {
	const get = async (path: string, search?: string): Promise<JsonObject> => {
		const asked = { method: 'GET', path, isRead: true, ...(search !== undefined && { search }) } as const
		return objectOf((await transport.send(asked, signal)).json())
	}
	const names = await get('/_alias')
	const indicesOf = (name: string) =>
		Object.keys(names).filter(
			index =>
				matchesPattern(index, name) ||
				index.includes(`.ds-${name}-`) ||
				Object.keys(objectOf(objectOf(names[index]).aliases)).some(alias => matchesPattern(alias, name)),
		)
	const found = marks.map(mark => ({ ...mark, indices: indicesOf(mark.table) }))
	const missing = found.find(({ table: name, isOptional, indices }) => {
		return indices.length === 0 && isOptional !== true && !name.includes('*')
	})
	const marked = found.filter(({ indices }) => indices.includes(table)).flatMap(({ columns }) => columns)
	if (missing) return { columns: [], refused: missingTable(missing.table) }
	const index = Object.hasOwn(names, table) ? await readDefinition() : undefined
	// An alias can have a condition on hidden fields.
	if (!index)
		return {
			columns: [],
			refused: `This connection hides columns, and ${table} is not the name of one index. Name the index itself.`,
		}
	if (marked.length > 0) return partOf(index, marked, version)
	const takesNoChanges = whyUnchanging(index)
	return { columns: lookUpsOf(index), ...(takesNoChanges !== undefined && { takesNoChanges }) }

	async function readDefinition(): Promise<IndexDefinition | undefined> {
		const path = pathOf(table)
		const [mapping, settings, state] = await Promise.all([
			get(`${path}/_mapping`),
			readIfAllowed(`${path}/_settings`, 'flat_settings=true'),
			readIfAllowed(
				`/_cluster/state/metadata${path}`,
				'filter_path=metadata.indices.*.mapping_version,metadata.indices.*.settings_version',
			),
		])
		// The name of a data stream has an entry too, if it has an alias.
		if (!Object.hasOwn(mapping, table)) return undefined
		const own = objectOf(objectOf(settings?.[table]).settings)
		const versions = objectOf(objectOf(state?.metadata).indices)[table]
		return {
			name: table,
			mappings: objectOf(objectOf(mapping[table]).mappings),
			settings: Object.keys(own).length > 0 ? own : undefined,
			changes: isJsonObject(versions)
				? { mapping: numberOf(versions.mapping_version), settings: numberOf(versions.settings_version) }
				: undefined,
		}
	}

	async function readIfAllowed(path: string, search: string): Promise<JsonObject | undefined> {
		const reply = await transport.exchange({ method: 'GET', path, search, isRead: true }, signal)
		return reply.status < 300 ? objectOf(reply.json()) : undefined
	}
}

const missingTable = (table: string) =>
	`The table ${table}, of which the user hid columns, is gone or has another name. Until the user shows or hides its columns again, AI clients read no rows of this connection.`
