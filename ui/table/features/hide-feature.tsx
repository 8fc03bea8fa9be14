import Bot from 'lucide-solid/icons/bot'
import BotOff from 'lucide-solid/icons/bot-off'
import { createMemo } from 'solid-js'
import { useHost } from '../../state/host.tsx'
import { messageOf } from '../../words/message-of.ts'
import type { TableContext, TableFeature } from './feature.ts'

/** Hides columns of the table from AI clients, and marks them in the header. */
export function createHideFeature({ tab, table }: TableContext): TableFeature {
	const host = useHost()
	const { connection, table: name } = table.target
	const hidden = createMemo(() => {
		const marks = tab.tab.connection.view.hiddenColumns
		return new Set(marks.filter(mark => mark.table === name).map(({ column }) => column))
	})
	async function mark(column: string): Promise<void> {
		const marks = [{ table: name, column }]
		const change = hidden().has(column) ? { show: marks } : { hide: marks }
		await host.call('connections.hideColumns', { id: connection, ...change })
	}
	return {
		columnEntries: column => {
			// The marks of an alias or a pattern would name no table.
			if (!tab.tab.connection.table(name)) return []
			const label = hidden().has(column) ? 'Show to AI clients' : 'Hide from AI clients'
			const Icon = hidden().has(column) ? Bot : BotOff
			return [{ label, Icon, run: () => void mark(column).catch(error => table.selected.say(messageOf(error))) }]
		},
		headerMark: ({ name }) =>
			hidden().has(name) ? { icon: () => <BotOff size={12} />, words: 'hidden from AI clients' } : undefined,
	}
}
