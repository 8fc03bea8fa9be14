import './styles/main.css'
import { render } from 'solid-js/web'
import { connectHost, type HostConnection } from './api/client.ts'
import { App } from './shell/app.tsx'
import { restoreAppearance } from './state/appearance.ts'
import { HostProvider } from './state/host.tsx'
import { loadRest } from './state/later.ts'
import { loadPreferences } from './state/preferences.ts'
import { loadRecords, type Records } from './state/records.ts'

/** Version of the host that this page was built with. */
declare const ROUNDHOUSE_VERSION: string

const root = document.getElementById('app')
if (!root) throw new Error('index.html has no #app')
const host = connectHost(new URL('api', location.href.replace(/^http/, 'ws')))
const [preferences, records] = await Promise.all([loadPreferences(host), loadRecords(host)])
restoreAppearance(preferences)
followHost(host, records)
followVersion(host, records)
render(
	() => (
		<HostProvider host={host} preferences={preferences} records={records}>
			<App />
		</HostProvider>
	),
	root,
)
requestIdleCallback(() => void loadRest())

/**
 * Moves the page to the window's new address, once the host has stored everything that the page knows. A host that
 * cannot write keeps the page where it is.
 */
function followHost(host: HostConnection, records: Records): void {
	host.onMoved(async () => {
		while (records.flush()) await new Promise(resolve => setTimeout(resolve, 100))
		const { url, fallbackUrl } = await host.call('app.entry', {})
		location.replace(location.hostname === '127.0.0.1' ? fallbackUrl : url)
	})
}

/**
 * Loads the page of the host that replaced this page's host, if it is of another version. The two need not understand
 * each other. Everything that the page knows is stored first.
 */
function followVersion(host: HostConnection, records: Records): void {
	host.onReconnected(async () => {
		const { version } = await host.call('app.info', {})
		if (version === ROUNDHOUSE_VERSION) return
		while (records.flush()) await new Promise(resolve => setTimeout(resolve, 100))
		location.reload()
	})
}
