import type { OfRequest, OpenRequest, RequestScope } from '../../host/api/api.ts'
import type { Answers } from './fake-host.ts'

/** Saved requests in memory, and the answers of a fake host about them. */
export class FakeRequests {
	readonly #files = new Map<string, OpenRequest>()
	#versions = 0

	/** Returns the paths of all files, sorted. */
	get paths(): readonly string[] {
		return [...this.#files.values()].map(({ path }) => path).sort()
	}

	text(path: string, place: RequestScope = 'own'): string | undefined {
		return this.#files.get(`${place}/${path}`)?.text
	}

	/** Writes a file as another program would: without an event. */
	write(path: string, text: string, place: RequestScope = 'own'): OpenRequest {
		const name = path.replace(/^.*\//, '').replace(/\.sql$/, '')
		const request = { place, path, name, text, version: String(++this.#versions) }
		this.#files.set(`${place}/${path}`, request)
		return request
	}

	/** @param onChanged tells all windows */
	answers(onChanged: () => void): Answers {
		const find = ({ place, path }: Pick<OfRequest, 'place' | 'path'>) => {
			const found = this.#files.get(`${place}/${path}`)
			if (!found) throw new Error(`There is no file ${path}.`)
			return found
		}
		const pathOf = (name: string) => {
			if (name.startsWith('.')) throw new Error(`"${name}" cannot be the name of a file.`)
			return `${name}.sql`
		}
		const move = (request: OpenRequest, path: string) => {
			this.#files.delete(`${request.place}/${request.path}`)
			return this.write(path, request.text, request.place)
		}
		const changed = <T>(result: T): T => {
			onChanged()
			return result
		}
		return {
			'requests.list': () => ({ requests: [...this.#files.values()] }),
			'requests.read': find,
			'requests.add': ({ name, text, place }) => changed(this.write(pathOf(name), text, place)),
			'requests.write': ({ place, path, text, seen }) => {
				const now = this.#files.get(`${place}/${path}`)
				if (now && now.version !== seen)
					throw Object.assign(new Error('The file was changed.'), { code: 'request/changed' })
				return changed(this.write(path, text, place))
			},
			'requests.rename': ({ name, ...of }) => changed(move(find(of), pathOf(name))),
			'requests.renameFolder': ({ place, path, to }) => {
				const below = [...this.#files.values()].filter(one => one.place === place && one.path.startsWith(`${path}/`))
				for (const request of below) move(request, to + request.path.slice(path.length))
				return changed(null)
			},
			'requests.remove': of => {
				find(of)
				this.#files.delete(`${of.place}/${of.path}`)
				return changed(null)
			},
		}
	}
}
