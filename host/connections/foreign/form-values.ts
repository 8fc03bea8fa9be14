import { isShown } from '@roundhouse/kit/form'
import type { FormField, Manifest, Settings, SettingValue } from '@roundhouse/kit/manifest'
import { plain } from './address-parts.ts'
import type { ForeignConnection, ForeignSecrets } from './foreign-connection.ts'

/** Fits connections of other programs to drivers and their forms, by what manifests say. No line here knows an engine. */

/** Returns the driver that a connection is for, if one of these is. */
export function driverFor(
	manifests: readonly Manifest[],
	{ engines, passwordFile, fitsByPort, port }: ForeignConnection,
): Manifest | undefined {
	if (passwordFile !== undefined)
		return manifests.find(({ form }) => form.some(({ passwordFiles }) => passwordFiles?.includes(passwordFile)))
	for (const word of engines) {
		const found = manifests.find(manifest => namesOf(manifest).includes(word))
		if (found) return found
	}
	if (!fitsByPort || port === undefined) return undefined
	const atPort = manifests.filter(({ form }) => form.some(({ addresses }) => addresses?.defaultPort === port))
	return atPort.length === 1 ? atPort[0] : undefined
}

const namesOf = ({ id, displayName, pastedAddress }: Manifest) => [
	id,
	...pastedAddress.schemes,
	...displayName.toLowerCase().split(/[^a-z0-9]+/),
]

/** Returns the values of a form, and what the form has no place for. Secrets are filled in only if they are given. */
export function valuesOf(
	{ form }: Manifest,
	connection: ForeignConnection,
	secrets: ForeignSecrets = {},
): { readonly settings: Settings; readonly left: readonly string[] } {
	const { host, port, url, socketPath, database, user, tls } = connection
	const settings: Record<string, SettingValue> = {}
	const left: string[] = []
	const address = form.find(({ addresses }) => addresses !== undefined)
	const { portField } = address?.addresses ?? {}
	const web = url === undefined ? undefined : new URL(url)
	const name = host ?? web?.hostname
	const number = port ?? (Number(web?.port) || undefined)
	if (address && name !== undefined && !isFolder(name)) {
		if (portField === undefined)
			settings[address.key] =
				url ??
				`${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}${port === undefined ? '' : `:${port}`}`
		else settings[address.key] = name.replace(/^\[|\]$/g, '')
	}
	if (portField !== undefined && number !== undefined) settings[portField] = number
	const socket = form.find(({ isSocketPath }) => isSocketPath)
	if (socketPath !== undefined && socket) settings[socket.key] = socketPath
	else if (socketPath !== undefined) left.push('the Unix socket')
	const taken = { username: user, database, ...secrets }
	for (const [part, value] of Object.entries(taken)) {
		if (value === undefined) continue
		const field = form.find(({ takes }) => takes === part)
		if (field) fill(form, settings, field, value)
		else left.push(`the ${part}`)
	}
	const mode = tlsMode(form, tls, web)
	if (mode) fill(form, settings, ...mode)
	else if (tls !== undefined) left.push(`the TLS mode “${tls}”`)
	return { settings, left }
}

/** Whether a host is the folder of a Unix socket, which the driver knows the name in. */
export const isFolder = (host: string | undefined) => host !== undefined && /^(?:\/|[A-Za-z]:\\)/.test(host)

/** Fills a value in, and sets the fields that show its field. */
function fill(
	form: readonly FormField[],
	settings: Record<string, SettingValue>,
	field: FormField,
	value: SettingValue,
) {
	settings[field.key] = value
	if (isShown(form, settings, field)) return
	for (const { field: key, is } of [field.visibleWhen ?? []].flat()) {
		const [first] = is
		if (first !== undefined && form.some(other => other.key === key)) settings[key] = first
	}
}

/** Words for one mode, without hyphens. The first one that a form has counts. */
const sameModes: Readonly<Record<string, readonly string[]>> = {
	disable: ['disabled'],
	allow: ['prefer', 'preferred'],
	prefer: ['preferred'],
	require: ['required', 'requiredskipverify'],
	trust: ['require', 'required', 'requiredskipverify'],
	verifyfull: ['verifyidentity'],
	verifyidentity: ['verifyfull'],
}

function tlsMode(
	form: readonly FormField[],
	mode: string | undefined,
	web: URL | undefined,
): readonly [FormField, SettingValue] | undefined {
	const words = mode === undefined ? [] : [plain(mode), ...(sameModes[plain(mode)] ?? [])]
	for (const word of words) {
		for (const field of form.filter(({ type }) => type === 'select')) {
			const option = field.options?.find(({ value }) => plain(value).replaceAll(/[^a-z]/g, '') === word)
			if (option) return [field, option.value]
		}
	}
	const field = web?.protocol === 'https:' ? form.find(({ tls }) => tls !== undefined) : undefined
	return field?.tls && [field, field.tls.verified]
}
