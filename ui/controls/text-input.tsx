import { createMemo, type JSX, Show, splitProps } from 'solid-js'
import { hasLineBreak, withLineBreaks } from './line-breaks.ts'

type Field = HTMLInputElement | HTMLTextAreaElement

interface TextInputProps extends Omit<JSX.HTMLAttributes<Field>, 'ref' | 'class' | 'onInput' | 'onPaste'> {
	readonly value: string
	onText(text: string): void
	/** Receives the element, also a later one. */
	ref?: Field | ((field: Field) => void)
	/** Of the field of one line. */
	readonly list?: string | undefined
	readonly inputmode?: 'decimal' | undefined
	readonly name?: string
	readonly placeholder?: string | undefined
	readonly required?: boolean
	readonly 'data-autofocus'?: string | undefined
}

/** A field of one line, and of several from the first line break on: an input element would remove line breaks. */
export function TextInput(props: TextInputProps): JSX.Element {
	const [own, rest] = splitProps(props, ['value', 'onText', 'ref', 'list', 'inputmode'])
	const hasLines = createMemo((had: boolean) => had || hasLineBreak(own.value), false)
	let field!: Field
	let isReplaced = false
	const ref = (element: Field) => {
		field = element
		if (typeof own.ref === 'function') own.ref(element)
	}

	function paste(event: ClipboardEvent & { currentTarget: HTMLInputElement }): void {
		// A spreadsheet ends the text of a cell with a line break.
		const text = (event.clipboardData?.getData('text/plain') ?? '').replace(/(\r\n?|\n)$/, '')
		if (!hasLineBreak(text)) return
		event.preventDefault()
		const { value, selectionStart, selectionEnd } = event.currentTarget
		const before = value.slice(0, selectionStart ?? value.length) + text
		isReplaced = true
		own.onText(before + value.slice(selectionEnd ?? value.length))
		const caret = before.replaceAll('\r\n', '\n').length
		field.focus()
		field.setSelectionRange(caret, caret)
	}

	return (
		<Show
			when={hasLines()}
			fallback={
				<input
					type="text"
					autocomplete="off"
					spellcheck={false}
					{...rest}
					ref={ref}
					list={own.list}
					inputmode={own.inputmode}
					value={own.value}
					onInput={event => own.onText(event.currentTarget.value)}
					onPaste={paste}
					// The focus goes to the field of several lines.
					on:focusout={event => isReplaced && event.stopPropagation()}
				/>
			}
		>
			<textarea
				autocomplete="off"
				spellcheck={false}
				rows={1}
				{...rest}
				class="text-lines"
				ref={ref}
				value={own.value}
				onInput={event => own.onText(withLineBreaks(own.value, event.currentTarget.value))}
			/>
		</Show>
	)
}
