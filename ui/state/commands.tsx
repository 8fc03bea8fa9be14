import { createContext, createMemo, createSignal, type JSX, onCleanup, onMount, useContext } from 'solid-js'
import { isSameKeys, pressedKeys } from '../words/keys.ts'

/** Something the person can do. The palette, the keys and the menus read one list of them. */
export interface Command {
	/** The same from one launch to the next: `tab.close`. */
	readonly id: string
	/** What it does, as a button would say it. */
	readonly title: string
	/**
	 * How it is typed (ui/words/keys.ts). A browser without Electron keeps some keys for itself; those have a second way
	 * behind them.
	 */
	readonly keys?: readonly string[]
	/** The keys are heard by the part that has the focus, and stand here to be read. */
	readonly isHeardThere?: boolean
	/** Left out: always. */
	isAvailable?(): boolean
	run(): void
}

type Source = () => readonly Command[]

export function createCommands() {
	const [sources, setSources] = createSignal<readonly Source[]>([])
	/** What can be done now. Where two have one id, the one that came last is meant. */
	const available = createMemo(() => {
		const all = sources().flatMap(source => source())
		return [...new Map(all.map(command => [command.id, command])).values()].filter(
			command => command.isAvailable?.() ?? true,
		)
	})
	const heard = () => available().filter(command => !command.isHeardThere)
	/** The first of two steps, once it was pressed. */
	const [begun, setBegun] = createSignal<string>()

	/** @returns whether the key was a command's, or the first step to one */
	function press(event: KeyboardEvent): boolean {
		const pressed = pressedKeys(event)
		if (pressed === undefined) return false
		const before = begun()
		setBegun(undefined)
		// Whoever holds Ctrl through both steps means the same.
		const tries =
			before === undefined ? [pressed] : [`${before} ${pressed}`, `${before} ${pressed.replace('Mod+', '')}`]
		const found = heard().findLast(({ keys }) => keys?.some(key => tries.some(tried => isSameKeys(key, tried))))
		if (found) found.run()
		else if (before !== undefined) return true
		else if (heard().some(({ keys }) => keys?.some(key => key.startsWith(`${pressed} `)))) setBegun(pressed)
		else return false
		return true
	}

	return {
		available,
		begun,
		press,
		/** @returns what takes them away again */
		add(source: Source): () => void {
			setSources(all => [...all, source])
			return () => setSources(all => all.filter(other => other !== source))
		},
		run: (id: string) =>
			available()
				.find(command => command.id === id)
				?.run(),
	}
}
export type Commands = ReturnType<typeof createCommands>

const CommandsContext = createContext<Commands>()

/** The commands of what stands in it, and their keys. */
export function CommandsProvider(props: { readonly commands: Commands; readonly children: JSX.Element }): JSX.Element {
	const { commands } = props
	const onKeyDown = (event: KeyboardEvent) => {
		// What has the focus comes first, and a sheet or a menu takes no keystroke for what is behind it.
		if (event.defaultPrevented || event.isComposing || hasSheet()) return
		if (commands.press(event)) event.preventDefault()
	}
	/** The second of two steps is nobody else's, whatever has the focus. */
	const onSecondStep = (event: KeyboardEvent) => {
		if (commands.begun() === undefined || !commands.press(event)) return
		event.preventDefault()
		event.stopPropagation()
	}
	onMount(() => {
		document.addEventListener('keydown', onKeyDown)
		document.addEventListener('keydown', onSecondStep, true)
	})
	onCleanup(() => {
		document.removeEventListener('keydown', onKeyDown)
		document.removeEventListener('keydown', onSecondStep, true)
	})
	return <CommandsContext.Provider value={commands}>{props.children}</CommandsContext.Provider>
}

/** Also one that has not taken the focus yet. */
const hasSheet = () => document.querySelector('[role="dialog"], [role="menu"]') !== null

export function useAllCommands(): Commands {
	const commands = useContext(CommandsContext)
	if (!commands) throw new Error('this part of the window stands outside of CommandsProvider')
	return commands
}

/** Gives the window the commands of a component, for as long as it is there; a tab out of sight gives none. */
export function useCommands(source: Source): void {
	onCleanup(useAllCommands().add(source))
}
