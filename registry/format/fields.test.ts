import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { manifestSchema } from '@roundhouse/kit/manifest'
import { expect, test } from 'vitest'
import { z } from 'zod'
import {
	hostReleasesSchema,
	registrySchema,
	releaseDocumentSchema,
	releaseSummarySchema,
	revocationsSchema,
} from './format.ts'
import { maxMetadataBytes, signaturesSchema, signedSchemas } from './metadata-schema.ts'

/**
 * docs/registry.md lists each field of signed metadata with its schema and its bound. To write the table again, run
 * `npm run vitest -- run --project node --update=all registry/format/fields.test.ts`.
 */

const documents: readonly (readonly [name: string, schema: z.ZodType])[] = [
	['each document', z.object({ signatures: signaturesSchema })],
	['`root`', signedSchemas.root],
	['`timestamp`', signedSchemas.timestamp],
	['`snapshot`', signedSchemas.snapshot],
	['`targets`, publishers, `revocations`', signedSchemas.targets],
	['`custom` of a package', releaseSummarySchema],
	['document of a release', releaseDocumentSchema.extend({ manifest: z.unknown().meta({ description: 'kit.md' }) })],
	['`registry.json`', registrySchema],
	['`roundhouse.json`', hostReleasesSchema],
	['`revocations.json`', revocationsSchema],
]

/** The part of JSON Schema that these schemas have. */
interface Json {
	readonly type?: string
	readonly description?: string
	readonly format?: string
	readonly pattern?: string
	readonly enum?: readonly unknown[]
	readonly minLength?: number
	readonly maxLength?: number
	readonly minimum?: number
	readonly maximum?: number
	readonly maxItems?: number
	readonly maxProperties?: number
	readonly properties?: Readonly<Record<string, Json>>
	readonly required?: readonly string[]
	readonly items?: Json
	readonly propertyNames?: Json
	readonly additionalProperties?: Json | boolean
	readonly anyOf?: readonly Json[]
}

const jsonOf = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json

const code = (text: string) => `\`${text.replaceAll('|', '\\|')}\``

function shapeOf({ type, description, format, pattern, enum: values }: Json): string {
	if (description !== undefined) return description
	if (format === 'date-time') return 'date and time, ISO 8601'
	if (values) return values.map(value => code(String(value))).join(', ')
	if (pattern !== undefined) return code(pattern)
	return type ?? 'any'
}

function boundOf(json: Json): string {
	const { minLength = 0, maxLength, minimum, maximum, maxItems, maxProperties } = json
	if (maxLength !== undefined) return `${minLength} to ${maxLength} characters`
	if (minimum !== undefined || maximum !== undefined) return `${minimum} to ${maximum}`
	if (maxItems !== undefined) return `${maxItems} items`
	if (maxProperties !== undefined) return `${maxProperties} members`
	if (json.enum || (json.pattern !== undefined && !/[*+]/.test(json.pattern))) return 'by its schema'
	return ''
}

/** Returns the rows of a schema: name, shape and bound of each field. */
function rowsOf(json: Json, name: string): string[][] {
	const { properties, items, propertyNames, additionalProperties } = json
	if (properties) {
		const own = name === '' ? [] : [[name, 'object', '']]
		const isRequired = (key: string) => json.required?.includes(key) ?? false
		const parts = Object.entries(properties).flatMap(([key, part]) =>
			rowsOf(part, `${name === '' ? '' : `${name}.`}${key}${isRequired(key) ? '' : '?'}`),
		)
		return [...own, ...parts]
	}
	if (items) return [[name, 'list', boundOf(json)], ...rowsOf(items, `${name}[]`)]
	if (propertyNames && typeof additionalProperties === 'object') {
		const key = `${name}.*`
		const keys = [`key of ${name}`, shapeOf(propertyNames), boundOf(propertyNames)]
		return [[name, 'map', boundOf(json)], keys, ...rowsOf(additionalProperties, key)]
	}
	return [[name, shapeOf(json), boundOf(json)]]
}

/** Returns the lists of a schema. kit.md describes all fields of a manifest; its texts have a bound by their length. */
function listsOf({ items, properties = {}, anyOf = [], ...json }: Json, name: string): string[][] {
	const parts = Object.entries(properties).flatMap(([key, part]) =>
		listsOf(part, `${name === '' ? '' : `${name}.`}${key}`),
	)
	const own = items ? [[name, 'list', boundOf(json)], ...listsOf(items, `${name}[]`)] : []
	return [...own, ...parts, ...anyOf.flatMap(part => listsOf(part, name))]
}

const rows = [
	...documents.flatMap(([document, schema]) => rowsOf(jsonOf(schema), '').map(row => [document, ...row])),
	...listsOf(jsonOf(manifestSchema), '').map(row => ['manifest', ...row]),
]

test('docs/registry.md lists each field of signed metadata as the code checks it', async () => {
	const lines = rows.map(
		([document, name = '', shape, bound]) => `| ${document} | ${code(name)} | ${shape} | ${bound} |`,
	)
	const table = ['| In | Field | Schema | Bound |', '| - | - | - | - |', ...lines].join('\n')
	const path = join(import.meta.dirname, '../../docs/registry.md')
	const page = await readFile(path, 'utf8')
	const section = /(\n## Fields of signed metadata\n\n[^|]*\n)(?:\|.*\n)+/
	expect(page).toMatch(section)
	expect(page).toContain(`at most ${maxMetadataBytes / 1024 / 1024} MiB`)
	await expect(page.replace(section, (_, heading: string) => `${heading}${table}\n`)).toMatchFileSnapshot(path)
})

test('each text, number and list of signed metadata has a bound', () => {
	const unbounded = rows
		.filter(([, , shape, bound]) => bound === '' && !['object', 'boolean', 'kit.md'].includes(shape ?? ''))
		.map(([document, name]) => `${document} ${name}`)
	expect(unbounded).toEqual([])
})
