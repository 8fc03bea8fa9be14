import { isCutCell } from '@roundhouse/kit/cell'
import { createEffect, on, onCleanup } from 'solid-js'
import type { FilterField, RowChoice } from '../../../host/api/api.ts'
import type { HostConnection } from '../../api/client.ts'
import { copyText } from '../../cells/cell-text.ts'
import { createTask } from '../../state/task.ts'
import { operatorsFor } from './filters.ts'

/** Returns frequent values of a field that begin with a typed text. Never rejects: no values are no reason to stop. */
export type Suggest = (target: FilterField, typed: string, signal: AbortSignal) => Promise<readonly string[]>

export const mostSuggested = 20

/** Asks the engine for the most frequent values, under the other filters of the table. */
export function suggestValues(host: HostConnection, connection: string, chosen: () => RowChoice): Suggest {
	return async (target, typed, signal) => {
		if (target.takesKey || target.kind === 'json' || target.kind === 'binary') return []
		const base = chosen()
		const others = base.match === 'all' ? base.filters.filter(({ column }) => column !== target.name) : []
		const begins =
			typed.trim() !== '' && operatorsFor(target).some(([operator]) => operator === 'starts_with')
				? [{ column: target.name, operator: 'starts_with', values: [typed.trim()] } as const]
				: []
		const groups = [{ column: target.name }]
		const asked = {
			...base,
			filters: [...others, ...begins],
			match: 'all',
			groups,
			measures: [],
			limit: mostSuggested,
		} as const
		try {
			const { rows } = await host.call('rows.aggregate', { connection, query: asked }, { signal })
			return rows.flatMap(([cell = null]) => (cell === null || isCutCell(cell) ? [] : [copyText(cell)]))
		} catch {
			return []
		}
	}
}

/** A text that is still being typed asks for nothing. */
const debounceMs = 200

/** What fits a typed text, by default values of a column. Nothing is read while the text is undefined. */
export function createSuggestions<Target extends { readonly name: string } = FilterField, T = string>(
	props: {
		readonly target: Target | undefined
		suggest(target: Target, typed: string, signal: AbortSignal): Promise<readonly T[]>
	},
	typed: () => string | undefined,
) {
	const values = createTask((call, target: Target, text: string) => props.suggest(target, text, call.signal))
	createEffect(on(() => props.target?.name, values.clear, { defer: true }))
	createEffect(() => {
		const { target } = props
		const text = typed()
		if (text === undefined || !target) return
		const timer = setTimeout(() => void values.run(target, text), debounceMs)
		onCleanup(() => {
			clearTimeout(timer)
			values.cancel()
		})
	})
	return values
}
