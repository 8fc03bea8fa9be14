import { createContext, createMemo, For, type JSX, useContext } from 'solid-js'
import { type StatementLanguage, type StatementPart, statementParts } from './text-editor/statement-parts.ts'

const LanguageContext = createContext<() => StatementLanguage | undefined>()

/** Characters that are coloured. A longer statement is plain from there on. */
const mostColoured = 20_000

/** The language of the statements that a part of the window shows. */
export function StatementLanguageProvider(props: {
	readonly language: StatementLanguage | undefined
	readonly children: JSX.Element
}): JSX.Element {
	return <LanguageContext.Provider value={() => props.language}>{props.children}</LanguageContext.Provider>
}

/** A statement in the colours of the console. */
export function StatementText(props: {
	readonly text: string
	/** Default: that of {@link StatementLanguageProvider}, and no colours outside of one. */
	readonly language?: StatementLanguage
}): JSX.Element {
	const around = useContext(LanguageContext)
	const parts = createMemo((): readonly StatementPart[] => {
		const language = props.language ?? around?.()
		if (!language) return [{ text: props.text }]
		return [...statementParts(props.text.slice(0, mostColoured), language), { text: props.text.slice(mostColoured) }]
	})
	return (
		<For each={parts()}>
			{({ text, token }) => (token === undefined ? text : <span class={`code-${token}`}>{text}</span>)}
		</For>
	)
}
