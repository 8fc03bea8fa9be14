import { messageOf } from '../../../../base/errors.ts'
import type { Log } from '../../../../base/log.ts'
import { mayCall } from '../../access/authorization.ts'
import { showsGroup } from '../../access/groups.ts'
import type { Caller } from '../../protocol/caller.ts'
import type { ParameterHeaders } from '../../wire/parameter-headers.ts'
import type { Services } from '../framework/services.ts'
import type { Tool, ToolDescriptor } from '../framework/tool.ts'
import { coreTools } from './core-tools.ts'
import { customTool } from './custom-tool.ts'
import { driverTool } from './driver-tool.ts'

/** All tools: the core's, then those of the installed drivers by name, then saved requests. */
export class ToolRegistry {
	readonly #services: Services
	readonly #log: Log
	#tools: ReadonlyMap<string, Tool> = new Map()
	/** Built when a tool is first listed. */
	readonly #descriptors = new Map<Tool, ToolDescriptor>()
	/** Increases when the tools or their visibility change. Cached lists with a lower revision are stale. */
	#revision = 0

	constructor(services: Services, log: Log) {
		this.#services = services
		this.#log = log
		this.refresh()
	}

	get revision(): number {
		return this.#revision
	}

	find(name: string): Tool | undefined {
		return this.#tools.get(name)
	}

	parameterHeaders(name: string): ParameterHeaders | undefined {
		return this.#tools.get(name)?.parameterHeaders
	}

	/** Returns only the tools that this caller can call (contract, "Authentication" 3). */
	descriptors(caller: Caller): readonly ToolDescriptor[] {
		const connections = this.#services.gate.visible(caller)
		const isShown = ({ access, group, worksOn, isForOne = false }: Tool) => {
			if (!mayCall(caller, access) || !showsGroup(caller, group)) return false
			const fitting = worksOn ? connections.filter(worksOn) : []
			// Without a connection, no connection has switched the group off.
			return (
				(fitting.length === 0 && !isForOne) || fitting.some(({ hiddenToolGroups }) => !hiddenToolGroups.includes(group))
			)
		}
		return [...this.#tools.values()].filter(isShown).map(tool => this.#descriptorOf(tool))
	}

	#descriptorOf(tool: Tool): ToolDescriptor {
		const known = this.#descriptors.get(tool) ?? tool.describe()
		this.#descriptors.set(tool, known)
		return known
	}

	/** Called when the connections or their policies change. */
	connectionsChanged(): void {
		this.#revision++
	}

	/** Whether {@link look} must be called before a list. */
	get hasOffers(): boolean {
		return this.#services.offers.hasAny()
	}

	/** Checks whether the offered requests have changed. */
	async look(): Promise<void> {
		await this.#services.offers.look()
	}

	/** Rebuilds all tools from the drivers and the offers. The core's descriptions depend on them too. */
	refresh(): void {
		const fromDrivers = this.#services.drivers.installed().flatMap(manifest =>
			manifest.tools.flatMap(tool => {
				try {
					return [driverTool(manifest, tool, this.#services)]
				} catch (error) {
					this.#log.warn(`The tool ${tool.name} of ${manifest.id} was ignored: ${messageOf(error)}`)
					return []
				}
			}),
		)
		const sorted = fromDrivers.sort((a, b) => (a.name < b.name ? -1 : 1))
		const all = new Map<string, Tool>()
		const custom = this.#services.offers.list().map(offer => customTool(offer, this.#services))
		for (const tool of [...coreTools(this.#services), ...sorted, ...custom]) {
			const { name } = tool
			// The loader refuses drivers with duplicate names. An existing tool is never replaced.
			if (all.has(name)) this.#log.warn(`A second tool named ${name} was ignored: the name is already in use.`)
			else all.set(name, tool)
		}
		this.#tools = all
		this.#descriptors.clear()
		this.#revision++
	}
}
