import './styles/main.css'
import { render } from 'solid-js/web'
import { connectHost } from './api/client.ts'
import { App } from './shell/app.tsx'
import { restoreAppearance } from './state/appearance.ts'
import { followHost } from './state/follow.ts'
import { HostProvider } from './state/host.tsx'
import { loadPreferences } from './state/preferences.ts'
import { loadRecords } from './state/records.ts'

const root = document.getElementById('app')
if (!root) throw new Error('index.html has no #app')
const host = connectHost(new URL('api', location.href.replace(/^http/, 'ws')))
const [preferences, records] = await Promise.all([loadPreferences(host), loadRecords(host)])
restoreAppearance(preferences)
followHost(host, records)
render(
	() => (
		<HostProvider host={host} preferences={preferences} records={records}>
			<App />
		</HostProvider>
	),
	root,
)
