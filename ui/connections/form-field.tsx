import { isFileText } from '@roundhouse/kit/form'
import { createUniqueId, For, type JSX, Match, Show, Switch } from 'solid-js'
import type { FormField, SettingValue } from '../../host/api/api.ts'
import { PathButton } from './path-picker.tsx'

/** A field of a driver's form, drawn from the manifest. */
export function FormFieldView(props: {
	readonly field: FormField
	readonly value: SettingValue
	readonly fault?: string | undefined
	onChange(value: SettingValue): void
	/** Returns whether pasted text was handled. */
	onPaste?(text: string): boolean
	/** Called with a typed text when the user leaves the field. */
	onLeave?(text: string): void
	/** Called when a pointer is pressed on a text field, which is before another field loses the focus, and at the focus. */
	onEnter?(): void
	/** Called when a text field loses the focus. */
	onExit?(): void
	/** Beside a text field. */
	readonly aside?: JSX.Element
}): JSX.Element {
	const id = createUniqueId()
	/** A certificate or a key was pasted into a path field. */
	const isText = () => isFileText(props.field, props.value)
	const help = () =>
		[props.field.help, grantWords(props.field), isText() && 'The pasted text is stored as a secret.']
			.filter(Boolean)
			.join(' ') || undefined
	const describedBy = () => (help() || props.fault ? `${id}-help` : undefined)
	return (
		<div class="field" classList={{ inline: props.field.type === 'switch' }}>
			<label for={id}>{props.field.label}</label>
			<Switch>
				<Match when={props.field.type === 'select'}>
					<select id={id} value={String(props.value)} onChange={event => props.onChange(event.currentTarget.value)}>
						<For each={props.field.options}>{option => <option value={option.value}>{option.label}</option>}</For>
					</select>
				</Match>
				<Match when={props.field.type === 'switch'}>
					<input
						id={id}
						type="checkbox"
						checked={props.value === true}
						aria-describedby={describedBy()}
						onChange={event => props.onChange(event.currentTarget.checked)}
					/>
				</Match>
				<Match when={true}>
					<div class="field-input">
						<input
							id={id}
							type={props.field.type === 'secret' || isText() ? 'password' : 'text'}
							readonly={isText()}
							inputmode={props.field.type === 'number' ? 'numeric' : undefined}
							autocomplete="off"
							spellcheck={false}
							placeholder={props.field.placeholder}
							value={String(props.value)}
							aria-invalid={props.fault !== undefined}
							aria-describedby={describedBy()}
							onInput={event => props.onChange(event.currentTarget.value)}
							onChange={event => props.onLeave?.(event.currentTarget.value)}
							onPointerDown={() => props.onEnter?.()}
							onFocus={() => props.onEnter?.()}
							onBlur={() => props.onExit?.()}
							onPaste={event => {
								const text = event.clipboardData?.getData('text/plain') ?? ''
								const isTaken = isFileText(props.field, text)
								// An input of one line would lose the line breaks of a certificate.
								if (isTaken) props.onChange(text)
								if (isTaken || props.onPaste?.(text)) event.preventDefault()
							}}
						/>
						<Show
							when={isText()}
							fallback={
								<Show when={pathKind(props.field)}>
									{kind => (
										<PathButton
											kind={kind()}
											label={props.field.label}
											value={String(props.value)}
											onChoose={path => {
												props.onChange(path)
												props.onLeave?.(path)
											}}
										/>
									)}
								</Show>
							}
						>
							<button type="button" class="button tiny" onClick={() => props.onChange('')}>
								Remove pasted text
							</button>
						</Show>
						{props.aside}
					</div>
				</Match>
			</Switch>
			<Show when={props.fault ?? help()}>
				{text => (
					<p id={`${id}-help`} class="field-help" classList={{ fault: props.fault !== undefined }}>
						{text()}
					</p>
				)}
			</Show>
		</div>
	)
}

const pathKind = ({ type }: FormField) => (type === 'file' || type === 'folder' ? type : undefined)

/** The driver's access to the path. */
function grantWords({ type, access }: FormField): string | undefined {
	if (access === undefined) return undefined
	const deed = access === 'read' ? 'read' : 'read and change'
	return `The driver may ${deed} ${type === 'folder' ? 'everything in this folder' : 'this file'}.`
}
