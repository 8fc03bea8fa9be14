import type { Component } from 'solid-js'
import { Activity } from '../ai-access/activity.tsx'
import { AiAccess } from '../ai-access/ai-access.tsx'
import { Appearance } from './appearance.tsx'
import { General } from './general.tsx'
import { Plugins } from './plugins.tsx'

/** The pages of the settings, in their order. */
export const pages: readonly { readonly id: string; readonly title: string; readonly view: Component }[] = [
	{ id: 'general', title: 'General', view: General },
	{ id: 'plugins', title: 'Plugins', view: Plugins },
	{ id: 'ai', title: 'AI access', view: AiAccess },
	{ id: 'activity', title: 'Activity', view: Activity },
	{ id: 'appearance', title: 'Appearance', view: Appearance },
]
