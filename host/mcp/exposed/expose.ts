import type { Log } from '../../../base/log.ts'
import type { SavedConnections } from '../../connections/saved-connections.ts'
import type { Caller } from '../protocol/caller.ts'
import { Cursors } from '../protocol/cursors.ts'
import type { Method } from '../protocol/method.ts'
import type { ParameterHeaders } from '../wire/parameter-headers.ts'
import { Apps } from './apps/apps.ts'
import { completionComplete } from './completion/completion-complete.ts'
import type { Services } from './framework/services.ts'
import { PromptRegistry } from './prompts/prompt-registry.ts'
import { promptsGet } from './prompts/prompts-get.ts'
import { promptsList } from './prompts/prompts-list.ts'
import { resourcesList, resourceTemplatesList } from './resources/resources-list.ts'
import { resourcesRead } from './resources/resources-read.ts'
import { Subscriptions } from './subscriptions/subscriptions.ts'
import { costOf } from './tools/cost.ts'
import { ToolRegistry } from './tools/tool-registry.ts'
import { toolsCall } from './tools/tools-call.ts'
import { toolsList } from './tools/tools-list.ts'

/** The methods of the endpoint. Disposal ends all subscriptions. */
export interface Exposed extends AsyncDisposable {
	readonly methods: readonly (readonly [name: string, method: Method])[]
	/** Returns the tools that a caller sees, with their cost for a model. */
	toolsFor(caller: Caller): readonly SeenTool[]
	/** Returns the arguments of a tool that must also be sent as headers. */
	parameterHeaders(toolName: string): ParameterHeaders | undefined
}

/** A tool for display to the user. */
export interface SeenTool {
	readonly name: string
	readonly description: string
	/** Estimated cost in every conversation. */
	readonly tokens: number
}

interface ExposeOptions {
	readonly connections: SavedConnections
	readonly log: Log
	readonly onFault: (error: unknown) => void
}

export function expose(services: Services, { connections, log, onFault }: ExposeOptions): Exposed {
	const cursors = new Cursors()
	const apps = new Apps(onFault)
	const tools = new ToolRegistry(services, log)
	const prompts = new PromptRegistry(services)
	const subscriptions = new Subscriptions(services, connections)
	const changes = services.drivers.onChange(() => tools.refresh())
	const offers = services.offers.onChange(() => tools.refresh())
	const policies = connections.onChange(() => tools.connectionsChanged())
	return {
		methods: [
			['tools/list', toolsList(tools, cursors, apps)],
			['tools/call', toolsCall(tools, services.states, onFault)],
			['resources/list', resourcesList(services, cursors)],
			['resources/read', resourcesRead(services, apps, onFault)],
			['resources/templates/list', resourceTemplatesList(services, cursors)],
			['prompts/list', promptsList(prompts, cursors)],
			['prompts/get', promptsGet(prompts, services, onFault)],
			['completion/complete', completionComplete(prompts, services, onFault)],
			['subscriptions/listen', subscriptions.method],
		],
		toolsFor: caller =>
			caller.scopes.has('tools:read')
				? tools
						.descriptors(caller)
						.map(tool => ({ name: tool.name, description: tool.description, tokens: costOf(tool) }))
				: [],
		parameterHeaders: name => tools.parameterHeaders(name),
		async [Symbol.asyncDispose]() {
			changes[Symbol.dispose]()
			policies[Symbol.dispose]()
			offers[Symbol.dispose]()
			await subscriptions[Symbol.asyncDispose]()
		},
	}
}
