import { type JSX, Show } from 'solid-js'
import type { WindowQuestion } from '../../host/api/api.ts'
import { QuestionSheet } from './question-sheet.tsx'

type Asked = Extract<WindowQuestion, { kind: 'secret' }>

/** Whether a command that gives a secret may run on this machine, or why it gave none. No AI client sees it. */
export function SecretQuestion(props: {
	readonly asked: Asked
	answer(answer: { readonly isApproved: boolean }): void
}): JSX.Element {
	const isFault = () => props.asked.form === 'fault'
	return (
		<QuestionSheet
			title={isFault() ? `The command for ${props.asked.field} failed` : 'Run this command on this machine?'}
			refusal={isFault() ? 'Close' : undefined}
			onRefuse={() => props.answer({ isApproved: false })}
			actions={isReady =>
				!isFault() && (
					<button
						type="button"
						class="button primary"
						disabled={!isReady()}
						onClick={() => props.answer({ isApproved: true })}
					>
						Run it
					</button>
				)
			}
		>
			<p class="quiet">
				It gives {props.asked.field} of <strong>{props.asked.connection.name || 'a new connection'}</strong>
				{isFault() ? ':' : ', and was not written in this window. Agree only if you know it:'}
			</p>
			<p class="said-words">{props.asked.command}</p>
			<Show when={isFault()}>
				<p class="quiet">It says:</p>
				<p class="said-words">{props.asked.text}</p>
			</Show>
		</QuestionSheet>
	)
}
