import { createEffect, createSignal, on, onCleanup } from 'solid-js'
import type { HostConnection } from '../api/client.ts'
import { messageOf } from '../words/message-of.ts'
import { partsOf, type TablePart } from './table-lines.ts'

const waiting: readonly TablePart[] = [{ kind: 'note', text: 'Reading …' }]

/** The unfolded tables of a connection, with their columns and indexes as the engine describes them. */
export function createTableParts(
	host: HostConnection,
	{ connection, listed }: { readonly connection: string; listed(): unknown },
) {
	const [shown, setShown] = createSignal<ReadonlyMap<string, readonly TablePart[]>>(new Map())
	const ended = new AbortController()
	onCleanup(() => ended.abort())
	const put = (table: string, parts: readonly TablePart[]) => setShown(all => new Map(all).set(table, parts))

	async function read(table: string): Promise<void> {
		const parts = await host
			.call('tables.describe', { connection, table }, { signal: ended.signal })
			.then(partsOf, (error: unknown): readonly TablePart[] => [{ kind: 'note', text: messageOf(error) }])
		if (!ended.signal.aborted && shown().has(table)) put(table, parts)
	}

	// A list that is read again may have other columns.
	createEffect(on(listed, () => void [...shown().keys()].map(read), { defer: true }))

	return {
		/** Returns what a table shows, if it is unfolded. */
		of: (table: string) => shown().get(table),
		toggle(table: string): void {
			if (shown().has(table)) {
				setShown(all => new Map([...all].filter(([name]) => name !== table)))
				return
			}
			put(table, waiting)
			void read(table)
		},
	}
}
