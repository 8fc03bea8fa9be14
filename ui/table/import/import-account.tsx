import { csvRecord } from '@roundhouse/kit/csv'
import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import type { ImportAccount } from '../../../host/api/api.ts'
import { Notice } from '../../controls/notice.tsx'
import { saveFile } from '../../controls/save-file.ts'
import { useEngine } from '../../state/engine.tsx'
import { count, counted } from '../../words/format.ts'
import { accountCsv, inOrder } from './importing.ts'

/** Faults that are laid out at once. */
const shownFaults = 200

/** What became of the rows of a file: counts, and the rows that were not imported by their lines. */
export function ImportAccountView(props: { readonly account: ImportAccount; readonly fileName: string }): JSX.Element {
	const { rowNoun } = useEngine()
	let list!: HTMLElement
	const [first, setFirst] = createSignal(0)
	const faults = createMemo(() => inOrder(props.account))
	function go(to: number): void {
		setFirst(to)
		list.scrollTop = 0
	}
	const end = () => Math.min(first() + shownFaults, faults().length)
	const words = () => {
		const { state, imported, skipped, failed, unknown, message } = props.account
		const parts = [
			state === 'cancelled'
				? `Cancelled. Imported ${counted(imported, rowNoun)}`
				: `Imported ${counted(imported, rowNoun)}`,
			...(skipped > 0 ? [`skipped ${count(skipped)}`] : []),
			...(failed > 0 ? [`${count(failed)} failed`] : []),
			...(unknown > 0 ? [`the outcome of ${count(unknown)} is unknown`] : []),
		]
		return `${parts.join(', ')}.${message === undefined ? '' : ` ${message}`}`
	}
	const isGood = () => props.account.state !== 'failed' && props.account.failed + props.account.unknown === 0
	const save = () =>
		saveFile(
			`${props.fileName}.report.csv`,
			'text/csv',
			accountCsv(props.account, values => csvRecord(values, { guardFormulas: true })),
		)
	return (
		<>
			<Notice kind={isGood() ? 'info' : 'error'}>{words()}</Notice>
			<Show when={props.account.faults.length > 0}>
				<section ref={list} class="import-preview" tabindex={0} aria-label="Rows that were not imported">
					<table>
						<thead>
							<tr>
								<th scope="col">Line</th>
								<th scope="col">Outcome</th>
								<th scope="col">Values</th>
								<th scope="col">Reason</th>
							</tr>
						</thead>
						<tbody>
							<For each={faults().slice(first(), end())}>
								{({ line, outcome, message, values }) => (
									<tr>
										<th scope="row">{line}</th>
										<td>{outcome === 'failed' ? 'Failed' : 'Unknown'}</td>
										<td title={values}>{values}</td>
										<td class="import-reason">{message}</td>
									</tr>
								)}
							</For>
						</tbody>
					</table>
				</section>
				<div class="form-actions">
					<Show when={faults().length > shownFaults}>
						<span class="grow quiet" role="status">
							{count(first() + 1)} to {count(end())} of {count(faults().length)}
						</span>
						<button type="button" class="button" disabled={first() === 0} onClick={() => go(first() - shownFaults)}>
							Previous
						</button>
						<button
							type="button"
							class="button"
							disabled={end() === faults().length}
							onClick={() => go(first() + shownFaults)}
						>
							Next
						</button>
					</Show>
					<button type="button" class="button" onClick={save}>
						Save report
					</button>
				</div>
			</Show>
		</>
	)
}
