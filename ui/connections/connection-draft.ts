import { createSignal } from 'solid-js'
import { createStore } from 'solid-js/store'
import type { ConnectionView, FormField, Manifest, Progress, SettingValue } from '../../host/api/api.ts'
import { useHost } from '../state/host.tsx'
import { createTask } from '../state/task.ts'
import { type AiPolicy, defaultPolicy, mostChangedRowsKey } from './ai-policy.tsx'
import { initialValues, isVisible, settingsOf, valueError } from './form-values.ts'
import { defaultGuard, type Guard } from './guard-fields.tsx'
import type { Network } from './network-fields.tsx'
import { behindSsh, filledIn, mayBeAddress, readPasted } from './paste.ts'
import { faultOfSource, type SecretSource } from './secret-field.tsx'

interface FormOptions {
	readonly manifest: Manifest
	readonly connection?: ConnectionView | undefined
	onSaved(connection: ConnectionView): void
}

/** No driver can have a field with this key: their keys begin with a letter. */
export const nameKey = '_name'

/** What the user has typed into a connection form, and what can be done with it: fill it in, test it, save it. */
export function createConnectionDraft(form: FormOptions) {
	const host = useHost()
	const [name, setName] = createSignal(form.connection?.name ?? '')
	/** The name to fill in, while the user is elsewhere and has left the name empty. */
	let suggestedName = ''
	let isNameTouched = false
	let isInName = false
	const [values, setValues] = createStore(initialValues(form.manifest, form.connection?.settings))
	const [policy, setPolicy] = createSignal<AiPolicy>(form.connection ?? defaultPolicy)
	const [hidden, setHidden] = createSignal(form.connection?.hiddenColumns ?? [])
	const [guard, setGuard] = createSignal<Guard>(form.connection ?? defaultGuard)
	const [network, setNetwork] = createSignal<Network>(form.connection ?? { reach: [] })
	const [sources, setSources] = createSignal<Readonly<Record<string, SecretSource>>>(
		form.connection?.secretSources ?? {},
	)
	const [isSample, setSample] = createSignal(form.connection?.isSample ?? false)
	let isTlsChosen = false
	const [faults, setFaults] = createSignal<Readonly<Record<string, string>>>({})

	function change(field: FormField, value: SettingValue): void {
		setValues(field.key, value)
		if (field.tls) isTlsChosen = true
		changed(field)
	}

	function setSource(field: FormField, source: SecretSource | undefined): void {
		const { [field.key]: _, ...others } = sources()
		setSources(source ? { ...others, [field.key]: source } : others)
		changed(field)
	}

	function changed(field: FormField): void {
		setFaults(({ [field.key]: _, ...others }) => others)
		trial.clear()
		setSample(false)
	}

	/**
	 * An address with credentials fills the form, from the name or from the field for addresses. A text that the driver
	 * reads is held back until then, because it may contain a password; `asTyped` takes it if it is no address.
	 */
	function paste(text: string, asTyped: (text: string) => void): boolean {
		const { pastedAddress, takesSsh } = form.manifest
		const way = takesSsh ? behindSsh(text) : undefined
		if (way) {
			setNetwork({ reach: network().reach, ssh: { destination: way.destination } })
			return paste(way.address, asTyped)
		}
		const pasted = readPasted(text, pastedAddress)
		const filled = pasted && filledIn(form.manifest, { values, isTlsChosen }, pasted)
		if (pasted && filled) fill(filled, pasted.host)
		if (pastedAddress.readByDriver === undefined || !mayBeAddress(text)) return filled !== undefined
		void reading.run(text, () => !filled && asTyped(text))
		return true
	}

	/** The user sees the name of what is pasted there at once. */
	function pasteName(text: string): boolean {
		isInName = false
		isNameTouched = false
		return paste(text, pasted => rename(name() + pasted))
	}

	function rename(to: string): void {
		setName(to)
		isNameTouched = true
		setFaults(({ [nameKey]: _, ...others }) => others)
	}

	/** The text under a click or between two keys of the user never changes: a name waits until the user leaves the field. */
	function suggestName(suggested: string): void {
		suggestedName = suggested
		if (!isInName) takeSuggestedName()
	}

	function takeSuggestedName(): void {
		if (name() === '' && !isNameTouched) setName(suggestedName)
	}

	/** A typed URL fills the form as a pasted one does. */
	function readTyped(text: string): void {
		if (text.includes('://')) paste(text, () => {})
	}

	function fill(filled: Readonly<Record<string, SettingValue>>, host: string): void {
		setValues(filled)
		suggestName(host)
		setFaults({})
		trial.clear()
		setSample(false)
	}

	/** The driver reads more than the manifest can say. */
	const reading = createTask(async (call, text: string, asPasted: () => void) => {
		const address = form.manifest.form.find(({ addresses }) => addresses !== undefined)
		try {
			const settings = await host.call('drivers.readAddress', { id: form.manifest.id, text }, call)
			if (settings) fill(settings, String(settings[address?.key ?? ''] ?? ''))
			else asPasted()
		} catch (error) {
			asPasted()
			throw error
		}
	})

	const starting = createTask(async call => {
		const { settings } = await host.call('drivers.sample', { id: form.manifest.id }, call)
		setValues({ ...initialValues(form.manifest), ...settings })
		suggestName('Sample')
		setSample(true)
		setFaults({})
	})

	function check(): boolean {
		const found: Record<string, string> = {}
		for (const field of form.manifest.form) {
			const source = sources()[field.key]
			const fault = source ? faultOfSource(source) : valueError(field, values[field.key] ?? '')
			if (fault && isVisible(field, values)) found[field.key] = fault
		}
		if (name().trim() === '') found[nameKey] = 'Give the connection a name.'
		if (Number.isNaN(policy().mostChangedRows))
			found[mostChangedRowsKey] = 'Enter a whole number of at most nine digits.'
		setFaults(found)
		return Object.keys(found).length === 0
	}

	/** Those of visible fields, as they are typed: a field that is hidden for another way to sign in gives nothing. */
	const shownSources = () =>
		Object.fromEntries(
			form.manifest.form.flatMap(field => {
				const source = sources()[field.key]
				return source && isVisible(field, values) ? [[field.key, source]] : []
			}),
		)
	/** A secret that comes from elsewhere is not sent. */
	const typed = () => ({ ...values, ...Object.fromEntries(Object.keys(sources()).map(key => [key, ''])) })

	const draft = () => ({
		name: name().trim() || form.manifest.displayName,
		driverId: form.manifest.id,
		settings: settingsOf(form.manifest, typed()),
		secretSources: shownSources(),
		isSample: isSample(),
		externalAccess: policy().externalAccess,
		aiPolicy: policy().aiPolicy,
		hiddenToolGroups: policy().hiddenToolGroups,
		triesWrites: policy().triesWrites,
		mostChangedRows: policy().mostChangedRows,
		hiddenColumns: [...hidden()],
		safeMode: guard().safeMode,
		isProduction: guard().isProduction,
		colour: guard().colour ?? null,
		group: guard().group,
		reach: network().reach,
		proxy: network().proxy ?? null,
		ssh: network().ssh ?? null,
	})

	/** What the last test has done, for example the steps of `ssh`. */
	const [steps, setSteps] = createSignal<readonly string[]>([])
	const trial = createTask(async ({ signal }) => {
		setSteps([])
		const onProgress = ({ message }: Progress) => {
			if (message !== undefined && message !== steps().at(-1)) setSteps([...steps(), message])
		}
		const info = await host.call(
			'connections.test',
			{ id: form.connection?.id, draft: draft() },
			{ signal, onProgress },
		)
		return [`Connected to ${info.product} ${info.version}.`, ...info.notices].join(' ')
	})
	const saving = createTask(async () => {
		const id = form.connection?.id
		form.onSaved(
			await (id === undefined
				? host.call('connections.add', draft())
				: host.call('connections.update', { id, draft: draft() })),
		)
	})

	return {
		name,
		values,
		policy,
		setPolicy,
		hidden,
		setHidden,
		guard,
		setGuard,
		network,
		setNetwork,
		sources,
		setSource,
		isSample,
		faults,
		change,
		paste,
		readTyped,
		rename,
		pasteName,
		enterName(): void {
			isInName = true
		},
		leaveName(): void {
			isInName = false
			takeSuggestedName()
		},
		/** The driver reads a pasted address. */
		reading,
		/** Fills the form with the sample of the driver. */
		starting,
		trial,
		/** Of the test that runs or has ended. */
		steps: () => (trial.isRunning() || trial.value() || trial.error() ? steps() : []),
		saving,
		save(): void {
			takeSuggestedName()
			if (check()) void saving.run()
		},
	}
}
