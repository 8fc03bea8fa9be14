import type { ActionField, ActionForm, Json, JsonObject, Settings } from '@roundhouse/kit'
import { objectOf } from '../transport/answer.ts'
import { refused, requestOf, textOf } from './filled-text.ts'

/** The form that changes settings of indices, and its request for the console. Pure. */

export const settingsFormId = 'change-settings'

/** What the indices set now, as text, by the key of its field in the form. */
export type CurrentSettings = Readonly<Record<string, string>>

const names = { replicas: 'number_of_replicas', refresh: 'refresh_interval' } as const

/** What the path of a request for the current settings ends with. */
export const currentSettingsPath = `_settings/${Object.values(names)
	.map(name => `index.${name}`)
	.join(',')}`

/** Returns what all indices of an answer set alike. A setting that is not set, or differs, is left out. */
export function currentSettings(answer: Json): CurrentSettings {
	const indices = Object.values(objectOf(answer)).map(index => objectOf(objectOf(objectOf(index).settings).index))
	return Object.fromEntries(
		Object.entries(names).flatMap(([key, name]) => {
			const [value, ...others] = new Set(indices.map(index => index[name]))
			return typeof value === 'string' && others.length === 0 ? [[key, value]] : []
		}),
	)
}

/** @param isServerless where Elastic manages replicas */
export function settingsForm(current: CurrentSettings, isServerless: boolean): ActionForm {
	const { replicas, refresh } = current
	const replicasField: ActionField = {
		key: 'replicas',
		label: 'Replicas of each shard',
		type: 'number',
		...(replicas !== undefined && { default: Number(replicas) }),
	}
	return {
		id: settingsFormId,
		fields: [
			...(isServerless ? [] : [replicasField]),
			{
				key: 'refresh',
				label: 'Refresh interval',
				type: 'text',
				placeholder: '30s',
				help: 'How soon a search finds what was written. Empty: the default of the engine.',
				...(refresh !== undefined && { default: refresh }),
			},
			{
				key: 'others',
				label: 'Other settings',
				type: 'text',
				placeholder: 'max_result_window: 20000',
				help: 'Name and value, separated by commas. Only what you change here is sent.',
			},
		],
	}
}

/**
 * Returns the request that sets what the user changed. A setting that was emptied returns to its default.
 *
 * @param target the path of the indices
 * @throws DriverError `invalid_argument` with what to change in the form
 */
export function changeSettings(target: string, values: Settings, current: CurrentSettings): string {
	const changed: Record<string, Json> = {}
	for (const [key, name] of Object.entries(names)) {
		const value = values[key]
		const text = typeof value === 'number' ? String(value) : textOf(value)
		if (text !== (current[key] ?? '')) changed[name] = text === '' ? null : typeof value === 'number' ? value : text
	}
	const index: JsonObject = { ...changed, ...othersIn(textOf(values.others)) }
	if (Object.keys(index).length === 0) throw refused('Change a setting first.')
	return requestOf(`PUT ${target}/_settings`, { index })
}

function othersIn(text: string): JsonObject {
	const parts = text.split(',').map(part => part.trim())
	return Object.fromEntries(
		parts.filter(Boolean).map(part => {
			const [, name, value] = /^(?:index\.)?([a-z0-9_.]+)\s*:\s*(.+)$/.exec(part) ?? []
			if (name === undefined || value === undefined)
				throw refused(`"${part}" is not a name and a value, such as max_result_window: 20000.`)
			return [name, value]
		}),
	)
}
