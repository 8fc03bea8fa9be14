import TriangleAlert from 'lucide-solid/icons/triangle-alert'
import { createMemo, createSignal, type JSX, Match, onCleanup, onMount, Show, Switch } from 'solid-js'
import type { Manifest, WindowQuestion } from '../../host/api/api.ts'
import { CopyButton } from '../controls/copy-button.tsx'
import { effectAction, effectTitle } from '../controls/effect-title.ts'
import { EffectView, RowsView } from '../controls/effect-view.tsx'
import { Notice } from '../controls/notice.tsx'
import { StatementLanguageProvider, StatementText } from '../controls/statement-text.tsx'
import { useHost } from '../state/host.tsx'
import { createReading, createTask } from '../state/task.ts'
import { capital, count, counted } from '../words/format.ts'
import { QuestionSheet } from './question-sheet.tsx'
import { SecretQuestion } from './secret-question.tsx'
import { SshQuestion } from './ssh-question.tsx'

type StatementQuestion = Extract<WindowQuestion, { kind: 'statement' }>
type AskedQuestion = Exclude<WindowQuestion, { kind: 'ssh' | 'secret' }>
/** A question of an AI client. */
type ClientQuestion = Exclude<AskedQuestion, { kind: 'reach' }>

const titles = {
	statement: 'An AI client wants to run a statement',
	export: 'An AI client wants to export rows',
	access: 'An AI client wants to use a connection',
	reach: 'A driver wants to reach another address',
} as const

/** The title of a rehearsed write is what it did, never the client's words. */
function titleOf(asked: AskedQuestion): string {
	if (asked.kind === 'statement' && asked.effect) return `${effectTitle(asked.effect, asked.rowNoun)}?`
	return titles[asked.kind === 'statement' && asked.access === 'read' ? 'export' : asked.kind]
}

/** What the button does, with its number if that is known. */
function actionOf(asked: AskedQuestion): string {
	if (asked.kind !== 'statement') return 'Allow'
	const rows = rowsOf(asked)
	if (asked.access === 'read') return `Export ${rows ?? 'once'}`
	const done = asked.effect && effectAction(asked.effect, asked.rowNoun)
	return done ?? (rows === undefined ? 'Run once' : `Run once on ${rows}`)
}

/** The rows that it touches, by a count or an estimate. */
function rowsOf({ affects, replaced, rowNoun }: StatementQuestion): string | undefined {
	if (replaced) return counted(replaced.count, rowNoun)
	if (!affects) return undefined
	return `${affects.isExact ? '' : affects.bound === 'about' ? 'about ' : 'at least '}${counted(affects.value, rowNoun)}`
}

/** Durations of a consent, in minutes. */
const whileMinutes = 15

/** Questions of AI clients, drivers and `ssh`, one after the other. */
export function ConsentQuestions(): JSX.Element {
	const host = useHost()
	const pending = createReading(call => host.call('consent.pending', {}, call))
	onCleanup(host.on('consent.changed', () => void pending.run()))
	const drivers = createReading(call => host.call('drivers.installed', {}, call))
	onCleanup(host.on('drivers.changed', () => void drivers.run()))
	const others = () => (pending.value()?.length ?? 1) - 1
	/** The oldest question; a new one does not replace it. */
	const first = createMemo(() => pending.value()?.[0], undefined, { equals: (a, b) => a?.id === b?.id })
	const connections = createReading(call => host.call('connections.list', {}, call))
	onCleanup(host.on('connections.changed', () => void connections.run()))
	const answering = createTask((_, id: string, answer: Answer) => host.call('consent.answer', { id, ...answer }))

	return (
		<Show when={first()} keyed>
			{asked => {
				const answer = (answer: Answer) => void answering.run(asked.id, answer)
				if (asked.kind === 'ssh') return <SshQuestion asked={asked} answer={answer} />
				if (asked.kind === 'secret') return <SecretQuestion asked={asked} answer={answer} />
				const isProduction = () =>
					connections.value()?.find(({ id }) => id === asked.connection.id)?.isProduction === true
				const driver = () => drivers.value()?.find(({ id }) => id === asked.connection.driverId)
				return (
					<StatementLanguageProvider language={driver()?.console}>
						<Question
							asked={asked}
							driver={driver()}
							isProduction={isProduction()}
							others={others()}
							failure={answering.error()}
							answer={answer}
						/>
					</StatementLanguageProvider>
				)
			}}
		</Show>
	)
}

interface Answer {
	readonly isApproved: boolean
	readonly text?: string
	readonly forMinutes?: number
}

function Question(props: {
	readonly asked: AskedQuestion
	readonly driver: Manifest | undefined
	readonly isProduction: boolean
	readonly others: number
	/** Why the answer was not delivered. */
	readonly failure: string | undefined
	answer(answer: Answer): void
}): JSX.Element {
	const [isRead, setRead] = createSignal(props.asked.kind !== 'statement')
	const grant = () => (props.asked.kind === 'statement' ? props.asked.grant : undefined)
	/** Actions that change nothing and still need consent. */
	const isExport = () => props.asked.kind === 'statement' && props.asked.access === 'read'
	const isDestroying = () => props.asked.kind === 'statement' && props.asked.access === 'destructive'
	return (
		<QuestionSheet
			title={titleOf(props.asked)}
			isProduction={props.isProduction}
			place={
				props.asked.kind !== 'reach' && <Place name={props.asked.connection.name} isProduction={props.isProduction} />
			}
			onRefuse={() => props.answer({ isApproved: false })}
			note={
				<Show when={isRead()} fallback={`Read the ${isExport() ? 'export' : 'statement'} to its end first.`}>
					<Show when={props.others > 0}>{props.others} more waiting</Show>
				</Show>
			}
			actions={isReady => {
				const isDead = () => !isReady() || !isRead()
				return (
					<>
						<Show when={grant()}>
							{grant => (
								<button
									type="button"
									class="button"
									disabled={isDead()}
									onClick={() => props.answer({ isApproved: true, forMinutes: whileMinutes })}
								>
									Allow {grant().target} for {whileMinutes} minutes, at most{' '}
									{counted(grant().mostRows, props.asked.rowNoun)}
								</button>
							)}
						</Show>
						<button
							type="button"
							class="button primary"
							classList={{ danger: isDestroying() }}
							disabled={isDead()}
							onClick={() => props.answer({ isApproved: true })}
						>
							{actionOf(props.asked)}
						</button>
					</>
				)
			}}
		>
			<Show when={props.failure}>{message => <Notice kind="error">{message()}</Notice>}</Show>
			<Switch>
				<Match when={props.asked.kind === 'statement' && props.asked}>
					{statement => (
						<>
							<Show
								when={statement().effect}
								fallback={
									<>
										<Consequences question={statement()} />
										<Show when={statement().replaced}>{replaced => <RowsView {...replaced()} />}</Show>
									</>
								}
							>
								{effect => (
									<>
										<Show when={statement().access === 'destructive'}>
											<p class="consent-lasting">{lasting(statement())}</p>
										</Show>
										<EffectView effect={effect()} text={statement().shown} />
									</>
								)}
							</Show>
							<Who question={statement()} driver={props.driver?.displayName} />
							<Statement
								text={statement().shown}
								noun={props.driver?.console.noun.one ?? 'statement'}
								onRead={() => setRead(true)}
							/>
						</>
					)}
				</Match>
				<Match when={props.asked.kind === 'access' && props.asked}>
					{access => (
						<>
							<Who question={access()} driver={props.driver?.displayName} />
							<p class="quiet">
								It may read what the connection’s settings let AI clients read. You can undo this in Settings, AI
								access.
							</p>
						</>
					)}
				</Match>
				<Match when={props.asked.kind === 'reach' && props.asked}>
					{reach => (
						<>
							<p>
								<strong>
									<bdi>{reach().driver}</bdi>
								</strong>{' '}
								wants to reach <strong class="reach-address">{reach().address}</strong>
								<Show when={reach().connection.name}>
									{name => (
										<>
											{' '}
											for <strong>{name()}</strong>
										</>
									)}
								</Show>
								.
							</p>
							<p class="quiet">
								The connection’s settings do not name this address. Your answer is stored with the connection, where you
								can change it.
							</p>
						</>
					)}
				</Match>
			</Switch>
		</QuestionSheet>
	)
}

const withoutStop = (text: string) => text.replace(/\.$/, '')

const lasting = ({ mayUndo }: StatementQuestion) =>
	mayUndo ? 'It may not be possible to undo it.' : 'It cannot be undone.'

/** What will be lost or changed, before anything else. */
function Consequences(props: { readonly question: StatementQuestion }): JSX.Element {
	const isDestructive = () => props.question.access === 'destructive'
	return (
		<>
			<Show when={props.question.destroys ?? (isDestructive() ? 'data' : undefined)}>
				{what => (
					<p class="consent-warning">
						<TriangleAlert size={16} />
						<span>
							It destroys <strong>{what()}</strong>
							{!isDestructive()
								? '.'
								: props.question.mayUndo
									? `. ${lasting(props.question)}`
									: ', and cannot be undone.'}
						</span>
					</p>
				)}
			</Show>
			<Show when={props.question.isUndetermined && !isDestructive()}>
				<p class="consent-warning">
					<TriangleAlert size={16} />
					<span>What this destroys could not be determined.</span>
				</p>
			</Show>
			<p>
				<strong class="consent-summary">{withoutStop(props.question.summary)}</strong> on{' '}
				<strong>{props.question.connection.name}</strong>
				<Show when={props.question.affects && rowsOf(props.question)}>
					{rows => <span class="quiet">{` · ${rows()}`}</span>}
				</Show>
			</p>
		</>
	)
}

function Place(props: { readonly name: string; readonly isProduction: boolean }): JSX.Element {
	return (
		<>
			<Show when={props.isProduction}>
				<span class="guard production">Production</span>
			</Show>
			<bdi>{props.name}</bdi>
		</>
	)
}

/** Who asks for what. The client chose its name: it is quoted, limited, and separate from our text. */
function Who(props: { readonly question: ClientQuestion; readonly driver: string | undefined }): JSX.Element {
	/** Without an effect it stands above. One that is the whole statement stands below. */
	function summary(): string | undefined {
		if (props.question.kind !== 'statement' || !props.question.effect) return undefined
		const text = withoutStop(props.question.summary)
		return text === props.question.shown.replace(/\s+/g, ' ').replace(/[;\s]+$/, '') ? undefined : text
	}
	/** Why the driver calls it destructive. */
	const reason = () =>
		props.question.kind === 'statement' && props.question.access === 'destructive' ? props.question.reason : undefined
	return (
		<dl class="consent-facts">
			<dt>Asks</dt>
			<dd>
				<Show when={props.question.asker.client} fallback="A client that does not say its name">
					{client => (
						<>
							<q class="claimed">{client()}</q>
							<span class="quiet">, as it calls itself</span>
						</>
					)}
				</Show>
			</dd>
			<dt>Connection</dt>
			<dd>
				<bdi>{props.question.connection.name}</bdi>
				<Show when={props.driver}>{driver => <span class="quiet">{`, ${driver()}`}</span>}</Show>
			</dd>
			<dt>Token</dt>
			<dd>{props.question.asker.token}</dd>
			<Show when={summary()}>
				{text => (
					<>
						<dt>Action</dt>
						<dd class="consent-line">{text()}</dd>
					</>
				)}
			</Show>
			<Show when={reason()}>
				{text => (
					<>
						<dt>Why</dt>
						<dd class="consent-line">
							<q>{text()}</q>
							<span class="quiet">, as {props.driver ?? 'its driver'} says</span>
						</dd>
					</>
				)}
			</Show>
		</dl>
	)
}

/** The whole statement. It counts as read when its end was visible. The box has the focus, so keys scroll it. */
function Statement(props: {
	readonly text: string
	/** The engine's term for it. */
	readonly noun: string
	onRead(): void
}): JSX.Element {
	let box: HTMLPreElement | undefined
	const look = () => {
		if (box && box.scrollTop + box.clientHeight >= box.scrollHeight - 4) props.onRead()
	}
	onMount(() => {
		look()
		const observer = new ResizeObserver(look)
		if (box) observer.observe(box)
		onCleanup(() => observer.disconnect())
	})
	const lines = () => props.text.trimEnd().split('\n').length
	return (
		<section class="consent-statement" aria-label={capital(props.noun)}>
			<header>
				<h3>{capital(props.noun)}</h3>
				<span class="quiet">{lines() === 1 ? 'whole text' : `whole text, ${count(lines())} lines`}</span>
				<span class="grow" />
				<CopyButton label={`Copy the ${props.noun}`} text={() => props.text} />
			</header>
			<div class="code-box">
				<pre tabindex={0} ref={box} onScroll={look}>
					<StatementText text={props.text} />
				</pre>
			</div>
		</section>
	)
}
