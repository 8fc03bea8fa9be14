import type { Settings } from '@roundhouse/kit/manifest'
import { DoesNotApply, notGiven } from '../findings.ts'
import type { Lab } from '../lab.ts'
import { closedPort, settingsAt, silentServer, until } from './engine-address.ts'
import type { RunsOf } from './run.ts'

/** Opening and closing connections, and what happens if that is not possible. */

const silentLimitMs = 30_000
const cancelLimitMs = 1_000

export const connectCases: RunsOf<'connect'> = {
	'connect.open': async (lab, report) => {
		const { info } = await lab.session()
		if (info.product.trim() === '') report('info', 'The product has no name.')
		if (info.version.trim() === '') report('info', 'The product has no version.')
	},
	'connect.apart': async (lab, report) => {
		const [one, other] = [await lab.open(), await lab.open()]
		await one.close()
		const refused = await lab.refusal(() => other.call('listTables', {}))
		await other.close()
		if (refused) report('close', `After another connection was closed, listTables fails: ${refused.message}`)
	},
	'connect.closed': async (lab, report) => {
		const session = await lab.open()
		await session.call('disconnect', {})
		const refused = await lab.refusal(() => session.call('listTables', {}))
		if (refused?.code !== 'not_connected')
			report('close', `A closed connection answers listTables with ${refused?.code ?? 'tables'}.`)
		await session.call('disconnect', {})
		await session.close()
	},
	'connect.secret': async (lab, report) => {
		const { manifest } = lab.subject
		const given = manifest.form.filter(({ key, type }) => type === 'secret' && lab.settings[key])
		if (given.length === 0) throw new DoesNotApply('The settings of the fixture have no secret.')
		for (const { key } of given) {
			const refused = await refusalOf(lab, { ...lab.settings, [key]: lab.canary })
			if (refused?.code !== 'denied')
				report(`form: ${key}`, `A wrong value fails with ${refused?.code ?? 'nothing'}, not with denied.`)
		}
	},
	'connect.certificate': async (lab, report) => {
		if (!lab.file.certificates)
			throw notGiven('`certificates`', '`certificates: settings => ({ trusted, unknown, wrongName, none, stop })`')
		const { trusted, unknown, wrongName, none, stop } = await lab.file.certificates(lab.settings)
		const refusalBy = (settings: Settings) => refusalOf(lab, { ...lab.settings, ...settings })
		try {
			// If a right certificate is refused too, the refusals of the others say nothing about certificates.
			const refused = await refusalBy(trusted)
			if (refused) return report('certificates.trusted', `It fails with ${refused.code}: ${refused.message}`)
			for (const [name, settings] of Object.entries({ unknown, wrongName, none })) {
				const refused = await refusalBy(settings)
				// A server without TLS may be called a wrong setting.
				if (refused?.code !== 'not_connected' && refused?.code !== 'invalid_argument')
					report(`certificates.${name}`, `It fails with ${refused?.code ?? 'nothing'}, not with not_connected.`)
			}
		} finally {
			await stop?.()
		}
	},
	'connect.canary': async (lab, report) => {
		const secrets = lab.subject.manifest.form.filter(({ type }) => type === 'secret')
		if (secrets.length === 0) throw new DoesNotApply('The form has no secret.')
		const canaries = Object.fromEntries(secrets.map(({ key }) => [key, lab.canary]))
		const results: unknown[] = []
		await lab.refusal(async () => {
			const session = await lab.open({ ...lab.settings, ...canaries })
			results.push(session.info)
			await lab.refusal(async () => results.push(await session.call('listTables', {})))
			await session.close()
		})
		// Output arrives apart from answers.
		await lab.endProcess()
		// Answers of the whole run are compared, because a driver may reveal a secret later.
		const leaks = [
			['messages', lab.messages],
			['log', lab.logged],
			['stderr', lab.printed],
			['results', results.map(result => JSON.stringify(result))],
		] as const
		for (const [where, texts] of leaks) {
			if (texts.some(text => text.includes(lab.canary)))
				report(where, 'A secret of the connection form is in this text.')
		}
	},
	'connect.refused': async (lab, report) => {
		const refused = await refusalOf(lab, settingsAt(lab.subject.manifest.form, lab.settings, await closedPort()))
		if (refused?.code !== 'not_connected')
			report('connect', `A closed port fails with ${refused?.code ?? 'nothing'}, not with not_connected.`)
	},
	'connect.silent': async (lab, report) => {
		await using server = await silentServer()
		const settings = settingsAt(lab.subject.manifest.form, lab.settings, server.port)
		const startedAt = performance.now()
		const refused = await refusalOf(lab, settings, AbortSignal.timeout(silentLimitMs))
		const tookMs = performance.now() - startedAt
		if (tookMs >= silentLimitMs)
			report('connect', `A server that never answers is waited for longer than ${silentLimitMs / 1000} seconds.`)
		else if (refused?.code !== 'not_connected' && refused?.code !== 'timeout') {
			report('connect', `A server that never answers fails with ${refused?.code ?? 'nothing'}.`)
		}
	},
	'connect.cancelled': async (lab, report) => {
		await using server = await silentServer()
		const settings = settingsAt(lab.subject.manifest.form, lab.settings, server.port)
		const abort = new AbortController()
		const ended = refusalOf(lab, settings, abort.signal)
		await until(() => server.openSockets > 0)
		if (server.openSockets === 0) throw new DoesNotApply('The driver opened no socket to the address in the form.')
		const abortedAt = performance.now()
		abort.abort()
		await ended
		const tookMs = Math.round(performance.now() - abortedAt)
		if (tookMs > cancelLimitMs)
			report('connect', `A cancelled attempt ended after ${tookMs} ms, the limit is ${cancelLimitMs}.`)
		await until(() => server.openSockets === 0)
		if (server.openSockets > 0) report('connect', 'A cancelled attempt leaves its socket open.')
	},
}

function refusalOf(lab: Lab, settings: Settings, signal?: AbortSignal) {
	return lab.refusal(async () => {
		const session = await lab.open(settings, { signal })
		await session.close()
	})
}
