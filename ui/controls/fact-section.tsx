import SquareTerminal from 'lucide-solid/icons/square-terminal'
import { createMemo, For, type JSX, Show } from 'solid-js'
import type { FactRow, FactSection } from '../../host/api/api.ts'
import { CopyButton } from './copy-button.tsx'
import { drawnOf } from './fact-limits.ts'
import { areFigures } from './figures.ts'
import { IconButton } from './icon-button.tsx'
import { StatementText } from './statement-text.tsx'

/** From this length on, a text needs more than the width of one word. */
const longText = 40

/** Whether facts stand side by side: several of a few words. */
const areShort = (facts: NonNullable<FactSection['facts']>) =>
	facts.length > 4 && facts.every(({ name, value }) => name.length <= 22 && value.length <= longText)

type Action = NonNullable<FactRow['actions']>[number]

/** One section of a driver's facts: names and values, a list, and actions for its lines. */
export function FactSectionView(props: {
	readonly section: FactSection
	/** The engine's term for the section's statement. */
	readonly noun: string
	/** The facts are read again; until then nothing is done with their lines. */
	readonly isOld?: boolean
	onConsole?: ((statement: string) => void) | undefined
	onAction?: ((action: Action) => void) | undefined
}): JSX.Element {
	const drawn = createMemo(() => drawnOf(props.section))
	return (
		<section class="fact-section" aria-label={props.section.title}>
			<header class="fact-head">
				<h2>{props.section.title}</h2>
				<Show when={props.section.statement !== undefined && props.onConsole}>
					{onConsole => (
						<IconButton
							label={`${props.section.title}: open the ${props.noun} in the console`}
							tip={`${props.section.statement?.split('\n')[0]}: open in the console`}
							isSmall
							onClick={() => onConsole()(props.section.statement ?? '')}
						>
							<SquareTerminal size={13} />
						</IconButton>
					)}
				</Show>
			</header>
			<Show when={drawn().notice}>{notice => <p class="quiet">{notice()}</p>}</Show>
			<Show when={drawn().code}>
				{code => (
					<div class="fact-code-box">
						<CopyButton label={`${props.section.title}: copy`} text={code} />
						<pre class="fact-code" tabindex={0}>
							<StatementText text={code()} />
						</pre>
					</div>
				)}
			</Show>
			<Show when={drawn().facts}>
				{facts => (
					<dl class="facts" classList={{ 'in-columns': areShort(facts()) }}>
						<For each={facts()}>
							{fact => (
								<>
									<dt>{fact.name}</dt>
									<dd class={`fact-${fact.state ?? 'plain'}`}>{fact.value}</dd>
								</>
							)}
						</For>
					</dl>
				)}
			</Show>
			<Show when={drawn().list}>
				{list => {
					const figures = createMemo(() =>
						list().columns.map((_, at) => areFigures(list().rows.map(({ cells }) => cells[at] ?? ''))),
					)
					const hasActions = () => props.onAction !== undefined && list().rows.some(row => row.actions)
					return (
						<div class="fact-list" tabindex={0}>
							<table>
								<thead>
									<tr>
										<For each={list().columns}>
											{(column, at) => (
												<th scope="col" classList={{ figure: figures()[at()] }}>
													{column}
												</th>
											)}
										</For>
										<Show when={hasActions()}>
											<th scope="col" class="fact-actions">
												Action
											</th>
										</Show>
									</tr>
								</thead>
								<tbody>
									<For each={list().rows}>
										{row => (
											<tr class={`fact-${row.state ?? 'plain'}`}>
												<For each={row.cells}>
													{(cell, at) => (
														<td classList={{ long: cell.length > longText, figure: figures()[at()] }}>{cell}</td>
													)}
												</For>
												<Show when={hasActions()}>
													<td class="fact-actions">
														<For each={row.actions}>
															{action => (
																<button
																	type="button"
																	class="button small"
																	disabled={props.isOld}
																	onClick={() => props.onAction?.(action)}
																>
																	{action.label}
																</button>
															)}
														</For>
													</td>
												</Show>
											</tr>
										)}
									</For>
								</tbody>
							</table>
						</div>
					)
				}}
			</Show>
		</section>
	)
}
