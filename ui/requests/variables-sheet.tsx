import X from 'lucide-solid/icons/x'
import { createEffect, createSignal, createUniqueId, Index, type JSX, on, Show } from 'solid-js'
import { Dialog } from '../controls/dialog.tsx'
import { Failure } from '../controls/failure.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { Notice } from '../controls/notice.tsx'
import { TextInput } from '../controls/text-input.tsx'
import { useHost } from '../state/host.tsx'
import { createReading, createTask } from '../state/task.ts'

interface Variable {
	readonly name: string
	readonly value: string
	/** The text uses it, and it has no value yet. */
	readonly isAsked?: boolean
}

/** The values of `{{name}}` for one connection. Names without a value that a text uses are listed too. */
export function VariablesSheet(props: {
	readonly connection: { readonly id: string; readonly name: string }
	/** Names that the text uses. */
	readonly used: readonly string[]
	/** What follows after the values are saved: `Save and run`. */
	readonly next?: { readonly label: string; run(): void } | undefined
	onClose(): void
}): JSX.Element {
	const host = useHost()
	const id = createUniqueId()
	let body!: HTMLDivElement
	const [variables, setVariables] = createSignal<readonly Variable[]>([])
	const reading = createReading(call => host.call('variables.read', { connection: props.connection.id }, call))
	createEffect(
		on(
			() => reading.value(),
			values => {
				if (!values) return
				const known = Object.entries(values).map(([name, value]) => ({ name, value }))
				const asked = props.used
					.filter(name => !Object.hasOwn(values, name))
					.map(name => ({ name, value: '', isAsked: true }))
				const all = [...known, ...asked]
				setVariables(all.length > 0 ? all : [{ name: '', value: '' }])
				// Focuses the first missing value.
				queueMicrotask(() => field(known.length, asked.length > 0 ? 'value' : 'name')?.focus())
			},
		),
	)
	const field = (index: number, part: keyof Variable) => body.querySelector<HTMLInputElement>(`#${id}-${index}-${part}`)
	const saving = createTask(async () => {
		// What follows uses each of the values, also an empty one.
		const isKept = ({ name, value, isAsked }: Variable) =>
			value !== '' || (name.trim() !== '' && (props.next || !isAsked))
		const kept = variables().filter(isKept)
		const values = Object.fromEntries(kept.map(({ name, value }) => [name.trim(), value]))
		if (Object.keys(values).length < kept.length) throw new Error('Two variables have the same name.')
		const bad = kept.find(({ name }) => !isName.test(name.trim()))
		if (bad) throw new Error(`"${bad.name}" cannot be a name: use letters, digits and underscores, as in table_name.`)
		await host.call('variables.write', { connection: props.connection.id, values })
		const { next } = props
		props.onClose()
		next?.run()
	})
	const change = (index: number, changed: Partial<Variable>) =>
		setVariables(all => all.map((one, place) => (place === index ? { ...one, ...changed } : one)))

	function add(): void {
		setVariables(all => [...all, { name: '', value: '' }])
		field(variables().length - 1, 'name')?.focus()
	}

	return (
		<Dialog title={`Variables of ${props.connection.name}`} holdsTyped onClose={props.onClose}>
			<form
				class="form"
				onSubmit={event => {
					event.preventDefault()
					void saving.run()
				}}
			>
				<div ref={body} class="dialog-body">
					<p class="quiet">
						Where a text for the console says <code>{'{{name}}'}</code>, this connection sends the value. They are kept
						on this machine and are no place for passwords.
					</p>
					<Failure of={reading} />
					<div class="variables">
						<Index each={variables()}>
							{(variable, index) => (
								<div class="variable">
									<input
										id={`${id}-${index}-name`}
										aria-label={`Name of variable ${index + 1}`}
										placeholder="name"
										autocomplete="off"
										spellcheck={false}
										value={variable().name}
										readOnly={variable().isAsked === true}
										tabIndex={variable().isAsked ? -1 : undefined}
										onInput={event => change(index, { name: event.currentTarget.value })}
									/>
									<TextInput
										id={`${id}-${index}-value`}
										aria-label={`Value of ${variable().name || `variable ${index + 1}`}`}
										placeholder="value"
										value={variable().value}
										onText={value => change(index, { value })}
									/>
									<Show when={!variable().isAsked}>
										<IconButton
											label={`Remove ${variable().name || `variable ${index + 1}`}`}
											isSmall
											onClick={() => setVariables(all => all.filter((_, place) => place !== index))}
										>
											<X size={13} />
										</IconButton>
									</Show>
								</div>
							)}
						</Index>
					</div>
					<div>
						<button type="button" class="button small" onClick={add}>
							Add
						</button>
					</div>
					<Show when={saving.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
				</div>
				<footer class="dialog-foot">
					<button type="button" class="button" onClick={() => props.onClose()}>
						Cancel
					</button>
					<button type="submit" class="button primary" disabled={!reading.value() || saving.isRunning()}>
						{props.next?.label ?? 'Save'}
					</button>
				</footer>
			</form>
		</Dialog>
	)
}

/** Limits of the host (host/requests/variables.ts). */
const isName = /^[\p{L}_][\p{L}\p{N}_.-]{0,99}$/u

/** Returns the names of the variables in a text. */
export function variablesIn(text: string): readonly string[] {
	const found = text.matchAll(/(?<![{\\])\{\{\s*([\p{L}_][\p{L}\p{N}_.-]{0,99})\s*\}\}/gu)
	return [...new Set([...found].map(([, name = '']) => name))]
}
