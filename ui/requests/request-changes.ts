import type { OpenRequest, RequestScope, SavedRequest } from '../../host/api/api.ts'
import type { HostConnection } from '../api/client.ts'
import { showToast } from '../controls/toasts.tsx'
import { messageOf } from '../words/message-of.ts'
import type { FolderOfRequests } from './request-folders.ts'

/** What the user renames or moves. */
export type Renamed =
	| { readonly kind: 'request'; readonly request: SavedRequest }
	| { readonly kind: 'folder'; readonly place: RequestScope; readonly folder: FolderOfRequests }

/** Deletes and renames the saved requests of a connection. */
export function createRequestChanges(
	host: HostConnection,
	of: {
		readonly connection: { readonly id: string }
		onMoved(place: RequestScope, from: string, to: string): void
	},
) {
	return {
		/** Deletes requests; the message offers to undo it. */
		async remove(what: string, requests: readonly SavedRequest[]): Promise<void> {
			const connection = of.connection.id
			const gone: OpenRequest[] = []
			try {
				for (const { place, path } of requests) {
					const request = await host.call('requests.read', { connection, place, path })
					await host.call('requests.remove', { connection, place, path })
					gone.push(request)
				}
			} catch (error) {
				tell(error)
			}
			const bringBack = () => {
				// Restores the original path: a new name could lead to a path that is taken.
				for (const { version: seen, ...request } of gone) {
					host.call('requests.write', { connection, ...request, seen }).catch(tell)
				}
			}
			if (gone.length > 0) showToast(`Deleted ${what}.`, { label: 'Undo', run: bringBack })
		},
		async rename(renamed: Renamed, name: string): Promise<void> {
			const connection = of.connection.id
			if (renamed.kind === 'request') {
				const { place, path } = renamed.request
				const { path: to } = await host.call('requests.rename', { connection, place, path, name })
				of.onMoved(place, path, to)
			} else {
				const { place, folder } = renamed
				await host.call('requests.renameFolder', { connection, place, path: folder.path, to: name })
				of.onMoved(place, folder.path, name)
			}
		},
	}
}

const tell = (error: unknown) => void showToast(messageOf(error))
