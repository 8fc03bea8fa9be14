import type { ActionForm, Json, Settings } from '@roundhouse/kit'
import { pathOf } from '../transport/request-path.ts'
import { newName, refused, requestOf, textOf } from './filled-text.ts'

/** The form of a new index, and its request for the console. Pure. */

export const createFormId = 'create-index'

/** @param isServerless where Elastic manages shards and replicas */
export function createForm(isServerless: boolean): ActionForm {
	const shards = [
		{ key: 'shards', label: 'Primary shards', type: 'number', default: 1, required: true },
		{ key: 'replicas', label: 'Replicas of each', type: 'number', default: 1, required: true },
	] as const
	return {
		id: createFormId,
		fields: [
			{ key: 'name', label: 'Name', type: 'text', required: true, placeholder: 'books' },
			{
				key: 'fields',
				label: 'Fields',
				type: 'text',
				placeholder: 'title: text, year: integer, created: date',
				help: 'Name and type, separated by commas. The engine adds other fields when documents have them.',
			},
			...(isServerless ? [] : shards),
		],
	}
}

/** @throws DriverError `invalid_argument` with what to change in the form */
export function createIndex(values: Settings): string {
	const name = newName(values.name, 'index')
	if (name !== name.toLowerCase()) throw refused('A name of an index has no capital letters.')
	const properties = fieldsIn(textOf(values.fields))
	const settings: Record<string, Json> = {}
	if (typeof values.shards === 'number') settings.number_of_shards = values.shards
	if (typeof values.replicas === 'number') settings.number_of_replicas = values.replicas
	return requestOf(`PUT ${pathOf(name)}`, {
		...(Object.keys(settings).length > 0 && { settings }),
		mappings: { properties },
	})
}

function fieldsIn(text: string): Record<string, Json> {
	const properties = new Map<string, Json>()
	for (const part of text.split(',').map(part => part.trim())) {
		if (part === '') continue
		const [, name, type] = /^([^:]+?)\s*:\s*([a-z_]+)$/.exec(part) ?? []
		if (name === undefined || type === undefined) {
			throw refused(`"${part}" is not a name and a type, such as year: integer.`)
		}
		if (properties.has(name)) throw refused(`${name} is named twice.`)
		properties.set(name, { type })
	}
	return Object.fromEntries(properties)
}
