import KeyRound from 'lucide-solid/icons/key-round'
import { createMemo, createSignal, For, type JSX, onCleanup, Show } from 'solid-js'
import type { TokenLevel } from '../../host/api/api.ts'
import { levels, lifetimes } from '../ai-access/token-words.ts'
import { Dialog } from '../controls/dialog.tsx'
import { Notice } from '../controls/notice.tsx'
import { useHost } from '../state/host.tsx'
import { createReading, createTask } from '../state/task.ts'
import { QuestionSheet } from './question-sheet.tsx'

/** A program that asks for a token: its name, scopes and lifetime. */
export function PairingQuestions(): JSX.Element {
	const host = useHost()
	const pending = createReading(call => host.call('pairing.pending', {}, call))
	const connections = createReading(call => host.call('connections.list', {}, call))
	const [level, setLevel] = createSignal<TokenLevel>('read-only')
	const [chosen, setChosen] = createSignal<ReadonlySet<string>>(new Set())
	const [expires, setExpires] = createSignal('30d')
	const [code, setCode] = createSignal<string>()
	onCleanup(host.on('pairing.changed', () => void pending.run()))
	onCleanup(host.on('connections.changed', () => void connections.run()))
	const asked = createMemo(() => pending.value()?.[0], undefined, { equals: (a, b) => a?.id === b?.id })

	const answering = createTask(async (_, id: string, isApproved: boolean) => {
		if (!isApproved) await host.call('pairing.refuse', { id })
		else {
			const grant = { level: level(), expires: expires(), ...(chosen().size > 0 && { connections: [...chosen()] }) }
			const given = await host.call('pairing.approve', { id, ...grant })
			setCode(given.code ?? undefined)
		}
		await pending.run()
	})
	const choose = (id: string, isChosen: boolean) =>
		setChosen(ids => new Set(isChosen ? [...ids, id] : [...ids].filter(other => other !== id)))

	return (
		<>
			<Show when={asked()} keyed>
				{program => (
					<QuestionSheet
						title="A program asks for access"
						onRefuse={() => void answering.run(program.id, false)}
						actions={isReady => (
							<button
								type="button"
								class="button primary"
								disabled={!isReady()}
								onClick={() => void answering.run(program.id, true)}
							>
								Pair
							</button>
						)}
					>
						<div class="consent-lead">
							<KeyRound size={24} />
							<p>
								A program that calls itself <q class="claimed">{program.client}</q>
								<Show when={program.redirect}>
									{address => (
										<>
											<br />
											<span class="quiet">The answer goes to {address()}</span>
										</>
									)}
								</Show>
							</p>
						</div>
						<p class="quiet">The program chose this name. Approve only a program that you have just started.</p>
						<div class="field">
							<label for="pair-level">It may</label>
							<select
								id="pair-level"
								value={level()}
								onChange={event => setLevel(event.currentTarget.value as TokenLevel)}
							>
								<For each={Object.entries(levels)}>{([value, label]) => <option value={value}>{label}</option>}</For>
							</select>
						</div>
						<div class="field">
							<label for="pair-expires">For</label>
							<select id="pair-expires" value={expires()} onChange={event => setExpires(event.currentTarget.value)}>
								<For each={Object.entries(lifetimes)}>{([value, label]) => <option value={value}>{label}</option>}</For>
							</select>
						</div>
						<fieldset class="section">
							<legend>Connections: all, or those you choose</legend>
							<For each={connections.value() ?? []}>
								{connection => (
									<label class="option">
										<input
											type="checkbox"
											checked={chosen().has(connection.id)}
											onChange={event => choose(connection.id, event.currentTarget.checked)}
										/>
										{connection.name}
									</label>
								)}
							</For>
						</fieldset>
						<Show when={answering.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
					</QuestionSheet>
				)}
			</Show>
			<Show when={code()}>
				{given => (
					<Dialog title="Give this code to the program" onClose={() => setCode(undefined)}>
						<div class="dialog-body">
							<p class="shown-once">
								<code>{given()}</code>
							</p>
							<p class="quiet">It works once, within five minutes.</p>
						</div>
					</Dialog>
				)}
			</Show>
		</>
	)
}
