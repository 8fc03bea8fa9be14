import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

interface Described {
	readonly name: string
	readonly outputSchema: JsonObject
}

let validators: Promise<ReadonlyMap<string, ValidateFunction>> | undefined

/** Verifies that the answers of all core tools match the `outputSchema` from `list`, without further members. */
export async function requireFitting(
	list: () => Promise<readonly Described[]>,
	tool: string,
	answer: unknown,
): Promise<void> {
	validators ??= list().then(readValidators)
	const validate = (await validators).get(tool)
	if (validate === undefined || validate(JSON.parse(JSON.stringify(answer)))) return
	throw new Error(`${tool} answers what its outputSchema does not: ${JSON.stringify(validate.errors)}`)
}

function readValidators(tools: readonly Described[]): ReadonlyMap<string, ValidateFunction> {
	const ajv = new Ajv2020()
	return new Map(tools.map(tool => [tool.name, ajv.compile(strict(tool.outputSchema))]))
}

/** Returns the schema closed at every level that does not say that it is open. On the wire it is open, so that a later version can add members. */
function strict(schema: Json): JsonObject {
	if (!isJsonObject(schema)) return {}
	const { properties, items } = schema
	return {
		...schema,
		...(isJsonObject(properties) && {
			properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, strict(inner)])),
			additionalProperties: schema.additionalProperties ?? false,
		}),
		...(items !== undefined && { items: strict(items) }),
	}
}
