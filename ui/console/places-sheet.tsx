import { createUniqueId, For, type JSX } from 'solid-js'
import { Dialog } from '../controls/dialog.tsx'
import { useRecords } from '../state/host.tsx'
import type { AskedPlaces } from './runs.ts'

/** What is not kept, because its name says that it is a secret. */
const isSecret = (name: string) => /pass|pwd|secret|token|credential|api_?key/i.test(name)

/** Asks for the values of `:name` and `$1`. The last values are offered. */
export function PlacesSheet(props: { readonly connection: string; readonly asked: AskedPlaces }): JSX.Element {
	const id = createUniqueId()
	const records = useRecords()
	const key = `places/${props.connection}`
	const kept = records.get(key)
	const last: Readonly<Record<string, unknown>> =
		typeof kept === 'object' && kept !== null && !Array.isArray(kept) ? { ...kept } : {}
	const lastOf = (name: string) => (typeof last[name] === 'string' ? last[name] : '')
	let form!: HTMLFormElement

	function run(): void {
		const values = Object.fromEntries(
			props.asked.names.map(([name]) => {
				const field = form.elements.namedItem(name)
				return [name, field instanceof HTMLInputElement ? field.value : '']
			}),
		)
		const open = Object.entries(values).filter(([name]) => !isSecret(name))
		const all = Object.entries({ ...last, ...Object.fromEntries(open) }).filter(
			([, value]) => typeof value === 'string',
		)
		records.set(key, Object.fromEntries(all.slice(-mostKept)) as Record<string, string>)
		props.asked.answer(values)
	}

	return (
		<Dialog title="Values of the statement" onClose={() => props.asked.answer(undefined)}>
			<form
				ref={form}
				class="form"
				onSubmit={event => {
					event.preventDefault()
					run()
				}}
			>
				<div class="dialog-body">
					<For each={props.asked.names}>
						{([name, text]) => (
							<div class="field">
								<label for={`${id}-${name}`}>
									<code>{text}</code>
								</label>
								<input
									id={`${id}-${name}`}
									name={name}
									type={isSecret(name) ? 'password' : 'text'}
									autocomplete="off"
									spellcheck={false}
									value={lastOf(name)}
								/>
							</div>
						)}
					</For>
				</div>
				<footer class="dialog-foot">
					<button type="button" class="button" onClick={() => props.asked.answer(undefined)}>
						Cancel
					</button>
					<button type="submit" class="button primary">
						{props.asked.purpose}
					</button>
				</footer>
			</form>
		</Dialog>
	)
}

/** Values of a connection that are kept. */
const mostKept = 200
