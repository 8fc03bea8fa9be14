import { messageOf } from '../../../base/errors.ts'
import type { Log } from '../../../base/log.ts'
import { mayCall } from '../../access/authorization.ts'
import { showsGroup } from '../../access/groups.ts'
import type { Caller } from '../../protocol/caller.ts'
import type { ParameterHeaders } from '../../wire/parameter-headers.ts'
import type { Services } from '../framework/services.ts'
import type { Tool, ToolDescriptor } from '../framework/tool.ts'
import { coreTools } from './core-tools.ts'
import { customTool } from './custom-tool.ts'
import { driverTool } from './driver-tool.ts'

/** The tools there are: the core's, then those of the installed drivers by name. */
export class ToolRegistry {
	readonly #services: Services
	readonly #log: Log
	#tools: ReadonlyMap<string, Tool> = new Map()
	/** Goes up when the tools change, or for whom they are shown, so that lists made before are known to be stale. */
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

	/** What this caller can call, and nothing else (contract, "Authentication" 3). */
	descriptors(caller: Caller): readonly ToolDescriptor[] {
		const connections = this.#services.gate.visible(caller)
		const isShown = ({ access, group, worksOn, isForOne = false }: Tool) => {
			if (!mayCall(caller, access) || !showsGroup(caller, group)) return false
			const fitting = worksOn ? connections.filter(worksOn) : []
			// Before there is a connection nobody has switched anything off.
			return (
				(fitting.length === 0 && !isForOne) || fitting.some(({ hiddenToolGroups }) => !hiddenToolGroups.includes(group))
			)
		}
		return [...this.#tools.values()].filter(isShown).map(tool => tool.descriptor)
	}

	/** The connections are others than before, or allow something else. */
	connectionsChanged(): void {
		this.#revision++
	}

	/** Whether there is anything that has to be looked at first. */
	get hasOffers(): boolean {
		return this.#services.offers.hasAny()
	}

	/** Looks whether the tools that persons made are still what they were offered as. */
	async look(): Promise<void> {
		await this.#services.offers.look()
	}

	/** Reads the drivers and the offers anew: the core's descriptions speak of them too. */
	refresh(): void {
		const fromDrivers = this.#services.drivers.installed().flatMap(manifest =>
			manifest.tools.flatMap(tool => {
				try {
					return [driverTool(manifest, tool, this.#services)]
				} catch (error) {
					this.#log.warn(`The tool ${tool.name} of ${manifest.id} is left out: ${messageOf(error)}`)
					return []
				}
			}),
		)
		const sorted = fromDrivers.sort((a, b) => (a.descriptor.name < b.descriptor.name ? -1 : 1))
		const all = new Map<string, Tool>()
		const custom = this.#services.offers.list().map(offer => customTool(offer, this.#services))
		for (const tool of [...coreTools(this.#services), ...sorted, ...custom]) {
			const { name } = tool.descriptor
			// The loader refuses a driver that brings such a name; one that was there before is never replaced.
			if (all.has(name)) this.#log.warn(`A second tool named ${name} is left out: the name is taken.`)
			else all.set(name, tool)
		}
		this.#tools = all
		this.#revision++
	}
}
