import type { Extension } from '@codemirror/state'
import { EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import type { StatementLanguage } from '../controls/text-editor/statement-parts.ts'

/** Lines above the view that are searched for the head. A longer body has none in view. */
const mostLines = 5_000
/** Of the head in view, in pixels. */
const height = 24

/**
 * Keeps the first line of a request in view, its method and path, while its body scrolls. A click goes to it. For the
 * pointer alone: the text is in the editor.
 */
export function keptHead({ keywords }: Pick<StatementLanguage, 'keywords'>): Extension {
	// Keywords contain only word characters, so they need no escaping in the regular expression.
	const begins = new RegExp(`^\\s*(${keywords.join('|')})\\b`, 'i')
	return ViewPlugin.fromClass(
		class {
			readonly #view: EditorView
			readonly #dom = document.createElement('div')
			#head: number | undefined

			constructor(view: EditorView) {
				this.#view = view
				this.#dom.className = 'cm-kept-head'
				this.#dom.setAttribute('aria-hidden', 'true')
				this.#dom.hidden = true
				this.#dom.addEventListener('mousedown', event => {
					event.preventDefault()
					if (this.#head !== undefined) view.dispatch({ selection: { anchor: this.#head }, scrollIntoView: true })
					view.focus()
				})
				view.dom.append(this.#dom)
				view.scrollDOM.addEventListener('scroll', this.show)
			}

			readonly show = () =>
				this.#view.requestMeasure({
					key: this,
					read: view => {
						const { doc } = view.state
						const { scrollTop, scrollLeft, offsetTop } = view.scrollDOM
						const top = doc.lineAt(view.lineBlockAtHeight(scrollTop).from)
						for (let at = top.number; at > 0 && top.number - at < mostLines; at--) {
							const line = doc.line(at)
							if (!begins.test(line.text)) continue
							const isAbove = view.lineBlockAt(line.from).top < scrollTop
							const left = view.contentDOM.offsetLeft - scrollLeft
							return isAbove ? { line, offsetTop, left: Math.max(0, left) } : undefined
						}
						return undefined
					},
					write: found => {
						this.#dom.hidden = found === undefined
						this.#head = found?.line.from
						if (!found) return
						this.#dom.textContent = found.line.text
						this.#dom.style.top = `${found.offsetTop}px`
						this.#dom.style.paddingLeft = `${found.left + 6}px`
					},
				})

			update(update: ViewUpdate): void {
				if (update.docChanged || update.geometryChanged || update.viewportChanged) this.show()
			}

			destroy(): void {
				this.#view.scrollDOM.removeEventListener('scroll', this.show)
				this.#dom.remove()
			}
		},
		// The caret is not moved below it.
		{ provide: () => EditorView.scrollMargins.of(() => ({ top: height })) },
	)
}
