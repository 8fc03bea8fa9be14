import X from 'lucide-solid/icons/x'
import { createSignal, For, type JSX, Show } from 'solid-js'
import type { ConnectionView } from '../../host/api/api.ts'
import { CopyButton } from '../controls/copy-button.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { Notice } from '../controls/notice.tsx'
import { useHost } from '../state/host.tsx'
import { createTask } from '../state/task.ts'

type HiddenColumn = ConnectionView['hiddenColumns'][number]

/** Parts of names of columns that often hold personal data or secrets. */
const parts =
	'mail phone mobile birth dob salary wage iban account_number card_number cvv passport ssn social_security tax_id address street password secret token api_key'.split(
		' ',
	)

const nameOf = ({ table, column }: HiddenColumn) => `${table}.${column}`

const counted = ({ table, column }: HiddenColumn, mayCount: boolean): HiddenColumn => ({
	table,
	column,
	...(mayCount && { mayCount }),
})

/** The columns of the connection whose values no AI client gets, and names that suggest more of them. */
export function HiddenColumnsFields(props: {
	/** Absent for a connection that is not saved, whose columns cannot be read yet. */
	readonly connection: string | undefined
	readonly hidden: readonly HiddenColumn[]
	onChange(hidden: readonly HiddenColumn[]): void
}): JSX.Element {
	const host = useHost()
	const [suggested, setSuggested] = createSignal<readonly HiddenColumn[]>()
	const suggesting = createTask(async (call, connection: string) => {
		const found = await Promise.all(parts.map(text => host.call('columns.find', { connection, text }, call)))
		const columns = found.flatMap(list => list ?? []).map(({ table, name }) => ({ table, column: name }))
		setSuggested([...new Map(columns.map(one => [nameOf(one), one])).values()])
	})
	const [login, setLogin] = createSignal<string | null>()
	const preparing = createTask(
		async (call, connection: string) =>
			void setLogin(await host.call('connections.restrictedLogin', { id: connection }, call)),
	)
	const isHidden = (one: HiddenColumn) => props.hidden.some(other => nameOf(other) === nameOf(one))
	const more = () => suggested()?.filter(one => !isHidden(one)) ?? []
	return (
		<fieldset class="section hidden-columns">
			<legend>Columns hidden from AI clients</legend>
			<p class="quiet">
				Values of these columns are not sent to AI clients by Roundhouse. Statements that need them are refused. Column
				names, row counts, and what other columns say remain visible. Copies of the values in other tables, texts or
				functions are not recognised unless you mark them.
			</p>
			<Show when={props.hidden.length > 0}>
				<p class="quiet">
					What may be counted and joined, statements of PostgreSQL get as a token in place of each value. So AI clients
					learn which rows share a value, how often, and which have none.
				</p>
			</Show>
			<Show when={props.hidden.length > 0} fallback={<p class="quiet">None. A column's menu hides it.</p>}>
				<ul class="reach-list" aria-label="Hidden columns">
					<For each={props.hidden}>
						{one => (
							<li>
								<code>{nameOf(one)}</code>
								<label class="option">
									<input
										type="checkbox"
										aria-label={`AI clients may count and join ${nameOf(one)}`}
										checked={one.mayCount === true}
										onChange={event =>
											props.onChange(
												props.hidden.map(other => (other === one ? counted(one, event.currentTarget.checked) : other)),
											)
										}
									/>
									May be counted and joined
								</label>
								<IconButton
									label={`Show ${nameOf(one)} to AI clients`}
									onClick={() => props.onChange(props.hidden.filter(other => other !== one))}
								>
									<X size={14} />
								</IconButton>
							</li>
						)}
					</For>
				</ul>
			</Show>
			<Show when={props.connection}>
				{connection => (
					<button
						type="button"
						class="button small"
						disabled={suggesting.isRunning()}
						onClick={() => void suggesting.run(connection())}
					>
						{suggesting.isRunning() ? 'Reading names …' : 'Suggest columns'}
					</button>
				)}
			</Show>
			<Show when={props.hidden.length > 0 && props.connection}>
				{connection => (
					<>
						<p class="quiet">
							For a guarantee by the server, give AI clients a connection with a login that may not read these columns,
							and block them here. Roundhouse prepares the text for the saved columns, and never runs it.
						</p>
						<button
							type="button"
							class="button small"
							disabled={preparing.isRunning()}
							onClick={() => void preparing.run(connection())}
						>
							{preparing.isRunning() ? 'Reading definitions …' : 'Prepare a login'}
						</button>
					</>
				)}
			</Show>
			<Show when={preparing.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
			<Show when={login() === null}>
				<Notice kind="info">This engine has no rights on columns.</Notice>
			</Show>
			<Show when={login()}>
				{text => (
					<div class="prepared-login">
						<CopyButton label="Copy the text of the login" text={text} />
						<pre>{text()}</pre>
					</div>
				)}
			</Show>
			<Show when={suggesting.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
			<Show when={suggested()}>
				<Show
					when={more().length > 0}
					fallback={<p class="quiet">No other column has a name that suggests personal data.</p>}
				>
					<fieldset class="tool-groups" aria-label="Suggested columns">
						<For each={more()}>
							{one => (
								<label class="option">
									<input type="checkbox" checked={false} onChange={() => props.onChange([...props.hidden, one])} />
									{nameOf(one)}
								</label>
							)}
						</For>
					</fieldset>
				</Show>
			</Show>
		</fieldset>
	)
}
