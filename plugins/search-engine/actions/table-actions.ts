import type { TableAction } from '@roundhouse/kit'
import type { Source } from '../mapping/sources.ts'
import { pathOf } from '../transport/request-path.ts'
import { aliasForm } from './add-alias.ts'
import { type CurrentSettings, settingsForm } from './change-settings.ts'
import { createForm } from './create-index.ts'
import { reindexForm } from './reindex.ts'
import { removeAliasForm } from './remove-alias.ts'

/**
 * What the window offers for indices, as requests of the console. A request that needs a choice of the user is a
 * draft. Pure.
 */

/** What is known of the indices and their cluster. */
export interface ActionContext {
	/** The indices that are closed, as far as known. */
	readonly closed?: ReadonlySet<string>
	/** The aliases of the indices, as far as known. */
	readonly aliases?: readonly Source[]
	/** What the indices set now, as far as known. */
	readonly current?: CurrentSettings
	/**
	 * Whether this is Elasticsearch Serverless, where no index can be closed and Elastic manages shards, replicas and
	 * segments.
	 */
	readonly isServerless: boolean
}

export function tableActions(
	names: readonly string[],
	{ closed = new Set(), aliases = [], current = {}, isServerless }: ActionContext,
): readonly TableAction[] {
	if (names.length === 0) return creations(isServerless)
	const open = names.filter(name => !closed.has(name))
	const shut = names.filter(name => closed.has(name))
	return [
		...(open.length > 0 ? [action('Refresh', open, target => `POST ${target}/_refresh`)] : []),
		...(open.length > 0 && !isServerless ? [action('Close', open, target => `POST ${target}/_close`)] : []),
		...(shut.length > 0 ? [action('Open', shut, target => `POST ${target}/_open`)] : []),
		{ label: 'Add an alias …', text: '', form: aliasForm(names) },
		...(aliases.length > 0 ? [{ label: 'Remove an alias …', text: '', form: removeAliasForm(aliases) }] : []),
		{ label: 'Reindex …', text: '', form: reindexForm(names) },
		{ label: 'Change settings …', text: '', form: settingsForm(current, isServerless) },
		...(isServerless ? [] : [draft('Merge segments', `POST ${targetOf(names)}/_forcemerge?max_num_segments=1`)]),
		...(names.length === 1 ? draftsOfOne(names[0] ?? '') : []),
		{ ...action('Delete', names, target => `DELETE ${target}`), removes: true },
	]
}

function creations(isServerless: boolean): readonly TableAction[] {
	const template = { index_patterns: ['new-*'], template: { settings: {}, mappings: {} } }
	return [
		{ label: 'Create an index …', text: '', form: createForm(isServerless) },
		draft('Create an index template', `PUT /_index_template/new-template\n${json(template)}`),
	]
}

function draftsOfOne(name: string): readonly TableAction[] {
	const fields = { properties: { new_field: { type: 'keyword' } } }
	return [
		draft('Add a field', `PUT ${targetOf([name])}/_mapping\n${json(fields)}`),
		// The connection takes no files. Copied lines are sent from the console.
		draft('Import documents by _bulk', `POST ${targetOf([name])}/_bulk\n{"index": {}}\n{"field": "value"}\n`),
	]
}

/** A node refuses a request line of more than 4,096 bytes by default (`http.max_initial_line_length`). */
export const longestTarget = 3_000

/** One request for as many indices as fit into a path. */
function action(verb: string, names: readonly string[], request: (target: string) => string): TableAction {
	const targets: string[] = []
	for (const name of names) {
		const last = targets.pop()
		const joined = last === undefined ? targetOf([name]) : `${last},${targetOf([name]).slice(1)}`
		if (last !== undefined && joined.length > longestTarget) targets.push(last, targetOf([name]))
		else targets.push(joined)
	}
	const label = names.length === 1 ? verb : `${verb} ${names.length} indices`
	return { label, text: targets.map(request).join('\n\n') }
}

/** Returns a path to several indices. Their names have no comma. */
export function targetOf(names: readonly string[]): string {
	return `/${names.map(name => pathOf(name).slice(1)).join(',')}`
}

function draft(label: string, text: string): TableAction {
	return { label: `${label} …`, text, isDraft: true }
}

function json(value: unknown): string {
	return JSON.stringify(value, null, 2)
}
