import FlaskConical from 'lucide-solid/icons/flask-conical'
import { createEffect, For, type JSX, on, Show } from 'solid-js'
import type { Assessment, Effect, TableEffect } from '../../../host/api/api.ts'
import { EffectView } from '../../controls/effect-view.tsx'
import { Failure } from '../../controls/failure.tsx'
import { Notice } from '../../controls/notice.tsx'
import { useEngine } from '../../state/engine.tsx'
import { useHost } from '../../state/host.tsx'
import { createTask } from '../../state/task.ts'
import { count } from '../../words/format.ts'

/** Each is a request to the engine. */
const mostTried = 50

/** Runs the statements of a review and rolls each back: says what they do in which table, and changes nothing. */
export function ReviewTry(props: {
	/** Its id. */
	readonly connection: string
	/** The database of the table, if that is another one than that of the connection. */
	readonly database: string | undefined
	readonly statements: readonly string[]
	/** Whether they are tried at once: the driver says that other rows go with theirs. */
	readonly isAtOnce: boolean
	/** Called with what all statements do, and with `undefined` once that is unknown. */
	onEffect(effect: Effect | undefined): void
}): JSX.Element {
	const host = useHost()
	const { noun } = useEngine().console
	const trying = createTask(async (call): Promise<readonly Assessment[]> => {
		const tried: Assessment[] = []
		for (const text of props.statements.slice(0, mostTried)) {
			const database = props.database
			const where = { connection: props.connection, ...(database !== undefined && { database }) }
			tried.push(await host.call('console.try', { ...where, statement: { text } }, call))
		}
		return tried
	})
	const tryAtOnce = () => props.isAtOnce && props.statements.length <= mostTried && void trying.run()
	// What was tried before are other statements.
	createEffect(
		on(
			() => props.statements,
			() => {
				trying.clear()
				tryAtOnce()
			},
		),
	)
	const isMany = () => props.statements.length > 1
	const those = () => (isMany() ? `the ${noun.many}, each alone,` : `the ${noun.one}`)
	const found = () => (trying.isRunning() ? undefined : trying.value())
	const effects = () => found()?.flatMap(({ effect }) => effect ?? []) ?? []
	const reasons = () => new Set(found()?.flatMap(({ unrehearsed }) => unrehearsed ?? []))
	createEffect(() => {
		const isAll = effects().length === props.statements.length
		props.onEffect(isAll ? combined(effects()) : undefined)
	})
	const faults = () => new Set(found()?.flatMap(({ fault }) => fault?.message ?? []))
	return (
		<section class="review-try" aria-label="Try">
			<div class="review-try-line">
				<button type="button" class="button small" disabled={trying.isRunning()} onClick={() => void trying.run()}>
					<FlaskConical size={14} />
					{found() ? 'Try again' : 'Try'}
				</button>
				<span class="quiet" role="status">
					{trying.isRunning() ? 'Trying …' : found() ? '' : `Runs ${those()} and rolls back.`}
				</span>
			</div>
			<Failure of={trying} />
			<For each={[...faults()]}>{message => <Notice kind="error">{message}</Notice>}</For>
			<For each={[...reasons()]}>{reason => <Notice kind="info">{reason}</Notice>}</For>
			<Show when={effects().length > 0}>
				<EffectView effect={combined(effects())} text={props.statements.join('\n')} />
			</Show>
			<Show when={found() && props.statements.length > mostTried}>
				<p class="quiet">
					The first {count(mostTried)} of {count(props.statements.length)} were tried.
				</p>
			</Show>
		</section>
	)
}

/** Adds up what several statements did in each table. Their rows are in the list of changes. */
function combined(effects: readonly Effect[]): Effect {
	const [first, ...others] = effects
	if (first && others.length === 0) return first
	const byTable = Map.groupBy(
		effects.flatMap(({ tables }) => tables),
		({ table }) => table,
	)
	const sum = (of: readonly TableEffect[], counted: 'inserted' | 'updated' | 'deleted') =>
		of.reduce((total, effect) => total + effect[counted], 0)
	const tables = [...byTable].map(([table, of]) => ({
		table,
		inserted: sum(of, 'inserted'),
		updated: sum(of, 'updated'),
		deleted: sum(of, 'deleted'),
	}))
	return { tables, place: first?.place ?? '' }
}
