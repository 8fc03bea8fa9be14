import { createSignal, createUniqueId, type JSX, Match, Show, Switch } from 'solid-js'
import type { WindowQuestion } from '../../host/api/api.ts'
import { Notice } from '../controls/notice.tsx'
import { QuestionSheet } from './question-sheet.tsx'

type Asked = Extract<WindowQuestion, { kind: 'ssh' }>

const titles: Readonly<Record<Asked['form'], (destination: string) => string>> = {
	secret: destination => `ssh asks for ${destination}`,
	confirm: destination => `Is this ${destination}?`,
	notice: destination => `ssh waits for you: ${destination}`,
	fault: destination => `The SSH tunnel to ${destination} failed`,
}

/** A question of `ssh` in its own words: a passphrase, a code, an unknown host. No AI client sees it. */
export function SshQuestion(props: {
	readonly asked: Asked
	answer(answer: { readonly isApproved: boolean; readonly text?: string; readonly remembers?: boolean }): void
}): JSX.Element {
	const id = createUniqueId()
	const [text, setText] = createSignal('')
	const [remembers, setRemembers] = createSignal(false)
	const form = () => props.asked.form
	const send = () =>
		props.answer({
			isApproved: true,
			...(form() === 'secret' && { text: text(), ...(remembers() && { remembers: true }) }),
		})
	const hasAnswer = () => form() === 'secret' || form() === 'confirm'
	return (
		<QuestionSheet
			title={titles[form()](props.asked.destination)}
			refusal={hasAnswer() ? undefined : 'Close'}
			onRefuse={() => props.answer({ isApproved: false })}
			actions={isReady =>
				hasAnswer() && (
					<button type="button" class="button primary" disabled={!isReady()} onClick={send}>
						{form() === 'confirm' ? 'Yes, connect' : 'Send'}
					</button>
				)
			}
		>
			<p class="quiet">
				For <strong>{props.asked.connection.name || 'a new connection'}</strong>, ssh says:
			</p>
			<p class="said-words">{props.asked.text}</p>
			<Show when={props.asked.isAgain}>
				<Notice kind="error">The last answer was not accepted.</Notice>
			</Show>
			<Switch>
				<Match when={form() === 'secret'}>
					<div class="field">
						<label for={id}>Answer</label>
						<input
							id={id}
							type="password"
							autocomplete="off"
							value={text()}
							onInput={event => setText(event.currentTarget.value)}
							onKeyDown={event => {
								if (event.key !== 'Enter' || event.isComposing) return
								event.preventDefault()
								send()
							}}
						/>
						<p class="field-help">
							{remembers()
								? 'It is stored with the other secrets, once it has opened the key.'
								: 'It stays in the memory of Roundhouse, until it ends.'}
						</p>
					</div>
					<Show when={props.asked.canRemember}>
						<label class="option">
							<input
								type="checkbox"
								checked={remembers()}
								onChange={event => setRemembers(event.currentTarget.checked)}
							/>
							Remember on this machine
						</label>
					</Show>
				</Match>
				<Match when={form() === 'confirm'}>
					<p class="quiet">
						Compare the fingerprint with what the administrator of that host says: it may be one on the way. ssh stores
						the key.
					</p>
				</Match>
			</Switch>
		</QuestionSheet>
	)
}
