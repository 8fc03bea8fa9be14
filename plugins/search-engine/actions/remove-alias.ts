import type { ActionForm, Settings } from '@roundhouse/kit'
import type { Source } from '../mapping/sources.ts'
import { refused, requestOf, textOf } from './filled-text.ts'

/** The form that removes an alias from indices, and its request for the console. Pure. */

export const removeAliasFormId = 'remove-alias'

/** Returns the aliases of at least one of the indices. */
export function aliasesOf(names: readonly string[], sources: readonly Source[]): readonly Source[] {
	return sources.filter(({ kind, indices }) => kind === 'alias' && indices.some(index => names.includes(index)))
}

/** @param aliases at least one */
export function removeAliasForm(aliases: readonly Source[]): ActionForm {
	const options = aliases.map(({ name }) => ({ value: name, label: name }))
	const [first = { value: '' }] = options
	const help = 'The indices keep their documents. The alias no longer finds them.'
	return {
		id: removeAliasFormId,
		canRun: true,
		fields: [{ key: 'alias', label: 'Alias', type: 'select', default: first.value, options, help }],
	}
}

/** @throws DriverError `invalid_argument` if none of the indices has the alias any more */
export function removeAlias(names: readonly string[], values: Settings, sources: readonly Source[]): string {
	const alias = textOf(values.alias)
	const found = aliasesOf(names, sources).find(({ name }) => name === alias)
	if (found === undefined) throw refused(`The indices no longer have the alias ${alias}. Reload the list of indices.`)
	const actions = names.filter(name => found.indices.includes(name)).map(index => ({ remove: { index, alias } }))
	return requestOf('POST /_aliases', { actions })
}
