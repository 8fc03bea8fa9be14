import type { SavedRequest } from '../../host/api/api.ts'

export interface FolderOfRequests {
	readonly name: string
	/** Relative to its place: `reports/daily`. */
	readonly path: string
	readonly folders: readonly FolderOfRequests[]
	readonly requests: readonly SavedRequest[]
}

/** Arranges the requests of one place in their folders. */
export function inFolders(requests: readonly SavedRequest[], path = ''): FolderOfRequests {
	const prefix = path === '' ? '' : `${path}/`
	const below = requests.filter(request => request.path.startsWith(prefix))
	const names = below.flatMap(request => {
		const [folder, ...others] = request.path.slice(prefix.length).split('/')
		return folder !== undefined && others.length > 0 ? [folder] : []
	})
	return {
		name: path.split('/').at(-1) ?? '',
		path,
		folders: [...new Set(names)].map(name => inFolders(below, `${prefix}${name}`)),
		requests: below.filter(request => !request.path.slice(prefix.length).includes('/')),
	}
}

/** Returns a request's name with its folders, as users type it. */
export function fullName({ path, name }: Pick<SavedRequest, 'path' | 'name'>): string {
	return [...path.split('/').slice(0, -1), name].join('/')
}
