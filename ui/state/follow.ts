import type { HostConnection } from '../api/client.ts'
import type { Records } from './records.ts'

const restMs = 100

/**
 * Takes the page to where its host has the window now. It goes once the host has everything that the page knows, which
 * is there again at the new address; a host that cannot write keeps the page where it is.
 */
export function followHost(host: HostConnection, records: Records): void {
	host.onMoved(async () => {
		while (records.flush()) await new Promise(resolve => setTimeout(resolve, restMs))
		const { url, fallbackUrl } = await host.call('app.entry', {})
		location.replace(location.hostname === '127.0.0.1' ? fallbackUrl : url)
	})
}
