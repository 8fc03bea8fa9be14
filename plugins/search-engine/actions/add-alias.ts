import type { ActionForm, JsonObject, Settings } from '@roundhouse/kit'
import type { Mapping } from '../mapping/mapping.ts'
import { filterHelp, filterOf, newName, refused, requestOf, textOf } from './filled-text.ts'

/** The form that adds an alias to indices, and its request for the console. Pure. */

export const aliasFormId = 'add-alias'

/** A list of more indices is too long to choose from. */
const mostListed = 100

export function aliasForm(names: readonly string[]): ActionForm {
	const [name = ''] = names
	const takesWrites = {
		key: 'writeIndex',
		label: 'Index that takes the writes',
		help: 'One index of an alias can take the writes. With a single index it does so without being named here.',
	}
	return {
		id: aliasFormId,
		canRun: true,
		fields: [
			{ key: 'alias', label: 'Alias', type: 'text', required: true, placeholder: `${name}-alias` },
			{
				key: 'filter',
				label: 'Filter',
				type: 'text',
				placeholder: 'year:>2000',
				help: `The alias shows only the documents that fit. ${filterHelp}`,
			},
			...(names.length > mostListed
				? []
				: [
						{
							...takesWrites,
							type: 'select' as const,
							default: '',
							options: [{ value: '', label: 'None' }, ...names.map(value => ({ value, label: value }))],
						},
					]),
		],
	}
}

/** @throws DriverError `invalid_argument` with what to change in the form */
export function addAlias(names: readonly string[], values: Settings, mapping: Mapping): string {
	const alias = newName(values.alias, 'alias')
	if (names.includes(alias)) throw refused(`${alias} is the name of the index. Choose another name for the alias.`)
	const filter = filterOf(values.filter, mapping)
	const writeIndex = textOf(values.writeIndex)
	const common: JsonObject = { alias, ...(filter && { filter }) }
	const actions = names.map(index => ({
		add: { index, ...common, ...(index === writeIndex && { is_write_index: true }) },
	}))
	return requestOf('POST /_aliases', { actions })
}
