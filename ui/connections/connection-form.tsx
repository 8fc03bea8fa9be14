import FlaskConical from 'lucide-solid/icons/flask-conical'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { createStore } from 'solid-js/store'
import type { ConnectionView, FormField, Manifest, SettingValue } from '../../host/ui-server/api.ts'
import { Notice } from '../controls/notice.tsx'
import { messageOf, useHost } from '../state/host.tsx'
import { type AiPolicy, AiPolicyFields, defaultPolicy } from './ai-policy.tsx'
import { FormFieldView } from './form-field.tsx'
import { faultOf, initialValues, isVisible, sections, settingsOf } from './form-values.ts'

type Trial = { readonly state: 'running' } | { readonly state: 'ok' | 'failed'; readonly message: string }

/** The connection form, drawn from the driver's manifest. */
export function ConnectionForm(props: {
	readonly manifest: Manifest
	readonly connection?: ConnectionView | undefined
	onBack(): void
	onSaved(connection: ConnectionView): void
}): JSX.Element {
	const host = useHost()
	const [name, setName] = createSignal(props.connection?.name ?? '')
	const [values, setValues] = createStore(initialValues(props.manifest, props.connection?.settings))
	const [policy, setPolicy] = createSignal<AiPolicy>(props.connection ?? defaultPolicy)
	const [isSample, setSample] = createSignal(props.connection?.isSample ?? false)
	const [faults, setFaults] = createSignal<Readonly<Record<string, string>>>({})
	const [trial, setTrial] = createSignal<Trial>()
	const [failure, setFailure] = createSignal<string>()
	const [isSaving, setSaving] = createSignal(false)

	function change(field: FormField, value: SettingValue): void {
		setValues(field.key, value)
		setFaults(({ [field.key]: _, ...others }) => others)
		setTrial(undefined)
		setSample(false)
	}

	async function useSample(): Promise<void> {
		setFailure(undefined)
		try {
			const { settings } = await host.call('drivers.sample', { id: props.manifest.id })
			setValues({ ...initialValues(props.manifest), ...settings })
			if (name() === '') setName('Sample')
			setSample(true)
			setFaults({})
		} catch (error) {
			setFailure(messageOf(error))
		}
	}

	function check(): boolean {
		const found: Record<string, string> = {}
		for (const field of props.manifest.form) {
			const fault = isVisible(field, values) ? faultOf(field, values[field.key] ?? '') : undefined
			if (fault) found[field.key] = fault
		}
		if (name().trim() === '') found[nameKey] = 'Give the connection a name.'
		setFaults(found)
		return Object.keys(found).length === 0
	}

	const draft = () => ({
		name: name().trim() || props.manifest.displayName,
		driverId: props.manifest.id,
		settings: settingsOf(props.manifest, values),
		isSample: isSample(),
		externalAccess: policy().externalAccess,
		aiPolicy: policy().aiPolicy,
	})

	async function test(): Promise<void> {
		setTrial({ state: 'running' })
		try {
			const info = await host.call('connections.test', { id: props.connection?.id, draft: draft() })
			setTrial({ state: 'ok', message: [`Connected to ${info.product} ${info.version}.`, ...info.notices].join(' ') })
		} catch (error) {
			setTrial({ state: 'failed', message: messageOf(error) })
		}
	}

	async function save(event: Event): Promise<void> {
		event.preventDefault()
		if (!check()) return
		setSaving(true)
		setFailure(undefined)
		try {
			const id = props.connection?.id
			props.onSaved(
				await (id === undefined
					? host.call('connections.add', draft())
					: host.call('connections.update', { id, draft: draft() })),
			)
		} catch (error) {
			setFailure(messageOf(error))
		} finally {
			setSaving(false)
		}
	}

	return (
		<form class="form" onSubmit={event => void save(event)} novalidate>
			<div class="dialog-body">
				<Show when={props.manifest.hasSample}>
					<div class="sample-offer" classList={{ chosen: isSample() }}>
						<FlaskConical size={18} />
						<span>
							{isSample()
								? `This connection uses the sample. It starts by itself, with fresh ${props.manifest.rowNoun.many} each time.`
								: `No server at hand? Try everything on real-looking ${props.manifest.rowNoun.many}.`}
						</span>
						<Show when={!isSample()}>
							<button type="button" class="button small" onClick={() => void useSample()}>
								Use the sample
							</button>
						</Show>
					</div>
				</Show>
				<FormFieldView
					field={{
						key: nameKey,
						label: 'Name',
						type: 'text',
						section: '',
						required: true,
						placeholder: 'What you call it',
					}}
					value={name()}
					fault={faults()[nameKey]}
					onChange={value => {
						setName(String(value))
						setFaults(({ [nameKey]: _, ...others }) => others)
					}}
				/>
				<For each={sections(props.manifest, values)}>
					{section => (
						<fieldset class="section">
							<legend>{section.name}</legend>
							<For each={section.fields}>
								{field => (
									<FormFieldView
										field={placeholderFor(field, props.connection)}
										value={values[field.key] ?? ''}
										fault={faults()[field.key]}
										onChange={value => change(field, value)}
									/>
								)}
							</For>
						</fieldset>
					)}
				</For>
				<AiPolicyFields policy={policy()} onChange={setPolicy} />
			</div>
			<footer class="dialog-foot">
				<div class="foot-message">
					<Show when={trial()?.state === 'running'}>
						<span class="quiet">Connecting …</span>
					</Show>
					<Show when={trial()} keyed>
						{result =>
							result.state !== 'running' && (
								<Notice kind={result.state === 'ok' ? 'info' : 'error'}>{result.message}</Notice>
							)
						}
					</Show>
					<Show when={failure()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
				</div>
				<button type="button" class="button" onClick={() => props.onBack()}>
					{props.connection ? 'Cancel' : 'Back'}
				</button>
				<button type="button" class="button" disabled={trial()?.state === 'running'} onClick={() => void test()}>
					Test
				</button>
				<button type="submit" class="button primary" disabled={isSaving()}>
					{props.connection ? 'Save' : 'Save and open'}
				</button>
			</footer>
		</form>
	)
}

/** No field of a driver has this key: theirs begin with a letter. */
const nameKey = '_name'

function placeholderFor(field: FormField, connection: ConnectionView | undefined): FormField {
	return connection?.secretKeys.includes(field.key) ? { ...field, placeholder: 'Stored; type to replace' } : field
}
