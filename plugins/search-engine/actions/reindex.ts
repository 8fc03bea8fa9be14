import type { ActionForm, Settings } from '@roundhouse/kit'
import type { Mapping } from '../mapping/mapping.ts'
import { filterHelp, filterOf, newName, refused, requestOf } from './filled-text.ts'

/** The form that copies documents into another index, and its request for the console. Pure. */

export const reindexFormId = 'reindex'

export function reindexForm(names: readonly string[]): ActionForm {
	const [name = ''] = names
	return {
		id: reindexFormId,
		canRun: true,
		fields: [
			{
				key: 'to',
				label: 'Copy into',
				type: 'text',
				required: true,
				default: `${name}-copy`,
				help: 'An index that does not exist is created with the mapping that its documents suggest.',
			},
			{ key: 'filter', label: 'Only documents that fit', type: 'text', placeholder: 'year:>2000', help: filterHelp },
			{
				key: 'existing',
				label: 'Documents that are there already',
				type: 'select',
				default: 'keep',
				options: [
					{ value: 'keep', label: 'Stay as they are' },
					{ value: 'replace', label: 'Are replaced' },
				],
			},
		],
	}
}

/** @throws DriverError `invalid_argument` with what to change in the form */
export function reindex(names: readonly string[], values: Settings, mapping: Mapping): string {
	const to = newName(values.to, 'index')
	if (names.includes(to)) throw refused(`${to} is copied itself. Choose another name.`)
	const query = filterOf(values.filter, mapping)
	const isKept = values.existing !== 'replace'
	// Without a refresh, the list of indices would count none of the copies.
	return requestOf('POST /_reindex?refresh=true', {
		...(isKept && { conflicts: 'proceed' }),
		source: { index: names.length === 1 ? (names[0] ?? '') : [...names], ...(query && { query }) },
		dest: { index: to, ...(isKept && { op_type: 'create' }) },
	})
}
