import { vi } from 'vitest'

/** Takes the files that the window saves, in place of the browser. */
export class FakeDownloads {
	readonly names: string[] = []
	#latest: Promise<string> = Promise.resolve('')

	constructor() {
		const take = (link: HTMLAnchorElement) => {
			this.names.push(link.download)
			this.#latest = fetch(link.href).then(answer => answer.text())
		}
		vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
			take(this)
		})
	}

	/** Returns the text of the latest file. */
	text(): Promise<string> {
		return this.#latest
	}
}
