import Check from 'lucide-solid/icons/check'
import FlaskConical from 'lucide-solid/icons/flask-conical'
import { createMemo, For, type JSX, onMount, Show } from 'solid-js'
import type { ConnectionView, FormField, Manifest } from '../../host/api/api.ts'
import { Notice } from '../controls/notice.tsx'
import { useHost } from '../state/host.tsx'
import { createTask } from '../state/task.ts'
import { AiPolicyFields } from './ai-policy.tsx'
import { createConnectionDraft, nameKey } from './connection-draft.ts'
import { FormFieldView } from './form-field.tsx'
import { sections } from './form-values.ts'
import { GuardFields } from './guard-fields.tsx'
import { HiddenColumnsFields } from './hidden-columns.tsx'
import { NetworkFields } from './network-fields.tsx'
import { pasteHint } from './paste.ts'
import { SecretField } from './secret-field.tsx'

/** The connection form, drawn from the driver's manifest. */
export function ConnectionForm(props: {
	readonly manifest: Manifest
	readonly connection?: ConnectionView | undefined
	/** Whether the sample fills the form at once. */
	readonly usesSample?: boolean
	/** Groups of the other connections. */
	readonly groups: readonly string[]
	onBack(): void
	onSaved(connection: ConnectionView): void
}): JSX.Element {
	const draft = createConnectionDraft(props)
	const { name, values, faults, trial, starting, saving } = draft
	const hint = pasteHint(props.manifest)
	const shown = createMemo(() => sections(props.manifest, values))
	// By name, so that a section that stays keeps its fields and the focus.
	const names = () => shown().map(({ name }) => name)
	if (props.usesSample) void starting.run()
	let fields!: HTMLDivElement
	// The step before it went with the focus. A connection that is edited is the first of its sheet.
	onMount(() => !props.connection && fields.querySelector('input')?.focus())

	return (
		<form
			class="form"
			onSubmit={event => {
				event.preventDefault()
				draft.save()
			}}
			novalidate
		>
			<div ref={fields} class="dialog-body">
				<Show when={props.manifest.hasSample && (!props.connection || draft.isSample())}>
					<SampleOffer
						rows={props.manifest.rowNoun.many}
						isChosen={draft.isSample()}
						onChoose={() => void starting.run()}
					/>
				</Show>
				<FormFieldView
					field={{
						key: nameKey,
						label: 'Name',
						type: 'text',
						section: '',
						required: true,
						placeholder: hint === undefined ? 'A name' : `A name, or paste ${hint}`,
					}}
					value={name()}
					fault={faults()[nameKey]}
					onPaste={draft.pasteName}
					onChange={value => draft.rename(String(value))}
					onEnter={draft.enterName}
					onExit={draft.leaveName}
				/>
				<For each={names()}>
					{name => (
						<fieldset class="section">
							<legend>{name}</legend>
							<For each={shown().find(section => section.name === name)?.fields}>
								{field => (
									<Show
										when={field.type === 'secret'}
										fallback={
											<FormFieldView
												field={placeholderFor(field, props.connection)}
												value={values[field.key] ?? ''}
												fault={faults()[field.key]}
												onChange={value => draft.change(field, value)}
												onLeave={text => field.addresses !== undefined && draft.readTyped(text)}
												onPaste={text =>
													field.addresses !== undefined &&
													draft.paste(text, pasted => draft.change(field, `${values[field.key] ?? ''}${pasted}`))
												}
											/>
										}
									>
										<SecretField
											field={placeholderFor(field, props.connection)}
											value={values[field.key] ?? ''}
											source={draft.sources()[field.key]}
											fault={faults()[field.key]}
											onChange={value => draft.change(field, value)}
											onSource={source => draft.setSource(field, source)}
										/>
									</Show>
								)}
							</For>
						</fieldset>
					)}
				</For>
				<GuardFields guard={draft.guard()} groups={props.groups} onChange={draft.setGuard} />
				<NetworkFields network={draft.network()} takesSsh={props.manifest.takesSsh} onChange={draft.setNetwork} />
				<RememberedPassphrases connection={props.connection} />
				<AiPolicyFields policy={draft.policy()} faults={faults()} onChange={draft.setPolicy} />
				<HiddenColumnsFields connection={props.connection?.id} hidden={draft.hidden()} onChange={draft.setHidden} />
			</div>
			<footer class="dialog-foot">
				<div class="foot-message">
					<Show when={draft.steps().length > 0}>
						<ol class="test-steps" aria-label="Steps of the test">
							<For each={draft.steps()}>
								{step => (
									<li>
										<Check size={13} />
										<bdi>{step}</bdi>
									</li>
								)}
							</For>
						</ol>
					</Show>
					<Show when={trial.isRunning()}>
						<span class="quiet">Connecting …</span>
					</Show>
					<Show when={starting.isRunning()}>
						<span class="quiet">Starting the sample …</span>
					</Show>
					<Show when={!trial.isRunning() && trial.value()}>{said => <Notice kind="info">{said()}</Notice>}</Show>
					<For each={[trial, starting, saving, draft.reading]}>
						{task => <Show when={task.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>}
					</For>
				</div>
				<button type="button" class="button" onClick={() => props.onBack()}>
					{props.connection ? 'Cancel' : 'Back'}
				</button>
				<button
					type="button"
					class="button"
					disabled={trial.isRunning() || starting.isRunning()}
					onClick={() => void trial.run()}
				>
					Test
				</button>
				<button type="submit" class="button primary" disabled={saving.isRunning() || starting.isRunning()}>
					{props.connection ? 'Save' : 'Save and open'}
				</button>
			</footer>
		</form>
	)
}

/** That this machine remembers a passphrase for the tunnel of the connection. */
function RememberedPassphrases(props: { readonly connection: ConnectionView | undefined }): JSX.Element {
	const host = useHost()
	const forgetting = createTask((call, id: string) => host.call('connections.forgetPassphrases', { id }, call))
	return (
		<Show when={props.connection?.passphrases?.length ? props.connection : undefined}>
			{connection => (
				<Notice
					kind="info"
					action={
						forgetting.value() === undefined
							? { label: 'Forget', run: () => void forgetting.run(connection().id) }
							: undefined
					}
				>
					{forgetting.error() ??
						(forgetting.value() === undefined
							? 'This machine remembers the passphrase of an SSH key for this connection.'
							: 'The passphrase is forgotten.')}
				</Notice>
			)}
		</Show>
	)
}

function SampleOffer(props: { readonly rows: string; readonly isChosen: boolean; onChoose(): void }): JSX.Element {
	return (
		<div class="sample-offer" classList={{ chosen: props.isChosen }}>
			<FlaskConical size={18} />
			<span>
				{props.isChosen
					? `This connection uses the sample. It starts automatically, with new ${props.rows} each time.`
					: `No server? The sample has realistic ${props.rows} to try everything on.`}
			</span>
			<Show when={!props.isChosen}>
				<button type="button" class="button small" onClick={() => props.onChoose()}>
					Use the sample
				</button>
			</Show>
		</div>
	)
}

function placeholderFor(field: FormField, connection: ConnectionView | undefined): FormField {
	return connection?.secretKeys.includes(field.key) ? { ...field, placeholder: 'Stored; type to replace' } : field
}
