import './styles/main.css'
import { render } from 'solid-js/web'
import { connectHost } from './api/client.ts'
import { App } from './shell/app.tsx'
import { restoreTheme } from './state/appearance.ts'
import { HostProvider } from './state/host.tsx'
import { loadPreferences } from './state/preferences.ts'

const root = document.getElementById('app')
if (!root) throw new Error('index.html has no #app')
const host = connectHost(new URL('api', location.href.replace(/^http/, 'ws')))
const preferences = await loadPreferences(host)
restoreTheme(preferences)
render(
	() => (
		<HostProvider host={host} preferences={preferences}>
			<App />
		</HostProvider>
	),
	root,
)
