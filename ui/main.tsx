import './styles/main.css'
import { render } from 'solid-js/web'
import { connectHost } from './api/client.ts'
import { App } from './shell/app.tsx'
import { applyTheme } from './state/appearance.ts'
import { HostProvider } from './state/host.tsx'

const root = document.getElementById('app')
if (!root) throw new Error('index.html has no #app')
applyTheme()
const host = connectHost(new URL('/api', location.href.replace(/^http/, 'ws')))
render(
	() => (
		<HostProvider host={host}>
			<App />
		</HostProvider>
	),
	root,
)
