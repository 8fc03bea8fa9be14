import { createContext, createMemo, createSignal, type JSX, onCleanup, onMount, useContext } from 'solid-js'
import { isOfInputMethod, isSameKeys, pressedKeys } from '../words/keys.ts'

/** An action that the user can run. The command palette, keyboard shortcuts and menus share one list of commands. */
export interface Command {
	/** A stable id: `tab.close`. */
	readonly id: string
	/** The action, worded as a button label. */
	readonly title: string
	/**
	 * Keyboard shortcuts (ui/words/keys.ts). Browsers reserve some keys. A command with a reserved key lists an
	 * alternative shortcut after the first one.
	 */
	readonly keys?: readonly string[]
	/** It is about the window, not about the active tab. */
	readonly isOfWindow?: boolean
	/** Whether the focused component handles the keys itself. The keys are then listed here only for display. */
	readonly isHeardThere?: boolean
	/** Always available if it is left out. */
	isAvailable?(): boolean
	run(): void
}

type Source = () => readonly Command[]

export function createCommands() {
	const [sources, setSources] = createSignal<readonly Source[]>([])
	/** The commands that are available now. If two commands have the same id, the last registered one is used. */
	const available = createMemo(() => {
		const all = sources().flatMap(source => source())
		return [...new Map(all.map(command => [command.id, command])).values()].filter(
			command => command.isAvailable?.() ?? true,
		)
	})
	const heard = () => available().filter(command => !command.isHeardThere)
	/** The first key of a two-key shortcut, after the user pressed it. */
	const [begun, setBegun] = createSignal<string>()

	/** @returns whether the key belongs to a command, or is the first step of one */
	function press(pressed: string | undefined): boolean {
		if (pressed === undefined) return false
		const before = begun()
		setBegun(undefined)
		// Holding Ctrl through both steps means the same.
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
		/** @returns a function that removes them */
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

const mouseKeys: ReadonlyMap<number, string> = new Map([
	[3, 'MouseBack'],
	[4, 'MouseForward'],
])

/** Provides the commands of its children and handles their keys. */
export function CommandsProvider(props: { readonly commands: Commands; readonly children: JSX.Element }): JSX.Element {
	const { commands } = props
	/** Before all others: a key of an input method or of an open list is no key of an editor, a sheet or the window. */
	const onTaken = (event: KeyboardEvent) => {
		if (isOfInputMethod(event) || event.target instanceof HTMLOptionElement) event.stopImmediatePropagation()
	}
	const onKeyDown = (event: KeyboardEvent) => {
		// The focused element handles keys first. An open sheet or menu blocks the shortcuts of the window behind it.
		if (event.defaultPrevented || hasSheet()) return
		if (commands.press(pressedKeys(event))) event.preventDefault()
	}
	/** The second key of a two-key shortcut runs the command, regardless of which element has the focus. */
	const onSecondStep = (event: KeyboardEvent) => {
		if (commands.begun() === undefined || !commands.press(pressedKeys(event))) return
		event.preventDefault()
		event.stopPropagation()
	}
	/** Without this, the browser would leave the page. */
	const onMouseUp = (event: MouseEvent) => {
		const pressed = mouseKeys.get(event.button)
		if (pressed === undefined) return
		event.preventDefault()
		if (!hasSheet()) commands.press(pressed)
	}
	onMount(() => {
		window.addEventListener('keydown', onTaken, true)
		document.addEventListener('mouseup', onMouseUp)
		document.addEventListener('keydown', onKeyDown)
		document.addEventListener('keydown', onSecondStep, true)
	})
	onCleanup(() => {
		window.removeEventListener('keydown', onTaken, true)
		document.removeEventListener('mouseup', onMouseUp)
		document.removeEventListener('keydown', onKeyDown)
		document.removeEventListener('keydown', onSecondStep, true)
	})
	return <CommandsContext.Provider value={commands}>{props.children}</CommandsContext.Provider>
}

/** Returns whether a sheet or menu is open, including one that does not have the focus yet. */
const hasSheet = () => document.querySelector('[role="dialog"]:not(.pane), [role="menu"], .pane:focus-within') !== null

export function useAllCommands(): Commands {
	const commands = useContext(CommandsContext)
	if (!commands) throw new Error('this component is not inside CommandsProvider')
	return commands
}

/** Registers the commands of a component for its lifetime. A hidden tab registers none. */
export function useCommands(source: Source): void {
	onCleanup(useAllCommands().add(source))
}
