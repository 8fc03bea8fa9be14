import FlaskConical from 'lucide-solid/icons/flask-conical'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { createStore } from 'solid-js/store'
import type { ConnectionView, FormField, Manifest, SettingValue } from '../../host/ui-server/api.ts'
import { Notice } from '../controls/notice.tsx'
import { useHost } from '../state/host.tsx'
import { createTask } from '../state/task.ts'
import { type AiPolicy, AiPolicyFields, defaultPolicy } from './ai-policy.tsx'
import { FormFieldView } from './form-field.tsx'
import { faultOf, initialValues, isVisible, sections, settingsOf } from './form-values.ts'
import { defaultGuard, type Guard, GuardFields } from './guard-fields.tsx'
import { type Network, NetworkFields } from './network-fields.tsx'
import { filledIn, readPasted } from './paste.ts'

/** The connection form, drawn from the driver's manifest. */
export function ConnectionForm(props: {
	readonly manifest: Manifest
	readonly connection?: ConnectionView | undefined
	/** Groups of the other connections. */
	readonly groups: readonly string[]
	onBack(): void
	onSaved(connection: ConnectionView): void
}): JSX.Element {
	const host = useHost()
	const [name, setName] = createSignal(props.connection?.name ?? '')
	const [values, setValues] = createStore(initialValues(props.manifest, props.connection?.settings))
	const [policy, setPolicy] = createSignal<AiPolicy>(props.connection ?? defaultPolicy)
	const [guard, setGuard] = createSignal<Guard>(props.connection ?? defaultGuard)
	const [network, setNetwork] = createSignal<Network>(props.connection ?? { reach: [] })
	const [isSample, setSample] = createSignal(props.connection?.isSample ?? false)
	const [faults, setFaults] = createSignal<Readonly<Record<string, string>>>({})

	function change(field: FormField, value: SettingValue): void {
		setValues(field.key, value)
		setFaults(({ [field.key]: _, ...others }) => others)
		trial.clear()
		setSample(false)
	}

	/** An address with credentials or a curl line fills the form, wherever of the two first fields it is pasted. */
	function paste(text: string): boolean {
		const pasted = readPasted(text)
		const filled = pasted && filledIn(props.manifest, values, pasted)
		if (!pasted || !filled) return false
		setValues(filled)
		if (name() === '') setName(new URL(pasted.address).hostname)
		setFaults({})
		trial.clear()
		setSample(false)
		return true
	}

	const starting = createTask(async call => {
		const { settings } = await host.call('drivers.sample', { id: props.manifest.id }, call)
		setValues({ ...initialValues(props.manifest), ...settings })
		if (name() === '') setName('Sample')
		setSample(true)
		setFaults({})
	})

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
		hiddenToolGroups: policy().hiddenToolGroups,
		safeMode: guard().safeMode,
		isProduction: guard().isProduction,
		colour: guard().colour ?? null,
		group: guard().group,
		reach: network().reach,
		proxy: network().proxy ?? null,
	})

	const trial = createTask(async call => {
		const info = await host.call('connections.test', { id: props.connection?.id, draft: draft() }, call)
		return [`Connected to ${info.product} ${info.version}.`, ...info.notices].join(' ')
	})
	const saving = createTask(async () => {
		const id = props.connection?.id
		props.onSaved(
			await (id === undefined
				? host.call('connections.add', draft())
				: host.call('connections.update', { id, draft: draft() })),
		)
	})
	function save(event: Event): void {
		event.preventDefault()
		if (check()) void saving.run()
	}

	return (
		<form class="form" onSubmit={save} novalidate>
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
							<button type="button" class="button small" onClick={() => void starting.run()}>
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
						placeholder: 'What you call it, or paste an address or a curl line',
					}}
					value={name()}
					fault={faults()[nameKey]}
					onPaste={paste}
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
										onPaste={text => field.addresses !== undefined && paste(text)}
									/>
								)}
							</For>
						</fieldset>
					)}
				</For>
				<GuardFields guard={guard()} groups={props.groups} onChange={setGuard} />
				<NetworkFields network={network()} onChange={setNetwork} />
				<AiPolicyFields policy={policy()} onChange={setPolicy} />
			</div>
			<footer class="dialog-foot">
				<div class="foot-message">
					<Show when={trial.isRunning()}>
						<span class="quiet">Connecting …</span>
					</Show>
					<Show when={!trial.isRunning() && trial.value()}>{said => <Notice kind="info">{said()}</Notice>}</Show>
					<For each={[trial, starting, saving]}>
						{task => <Show when={task.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>}
					</For>
				</div>
				<button type="button" class="button" onClick={() => props.onBack()}>
					{props.connection ? 'Cancel' : 'Back'}
				</button>
				<button type="button" class="button" disabled={trial.isRunning()} onClick={() => void trial.run()}>
					Test
				</button>
				<button type="submit" class="button primary" disabled={saving.isRunning()}>
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
