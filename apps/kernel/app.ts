/** Apps and their actions: defining them, and calling them by reference or by name. */
import { commit } from './store';
import type { Action, App, AppId, Args, Call, PhoneState } from './types';

type Bound<M> = { [K in keyof M]: M[K] extends Action<infer A> ? (args: A) => void : never };

const actions: { [name: string]: Action<never> } = {};
const apps: { [id: string]: App } = {};

/**
 * Registers an owner's actions and returns functions that commit them.
 *
 *     export const act = defineActions('clock', { toggle(phone, { id }: { id: string }) { ... } });
 *     <Switch onClick={() => act.toggle({ id })} />
 */
export function defineActions<M extends { [name: string]: Action<never> }>(owner: AppId | 'os', map: M): Bound<M> {
  const bound: { [name: string]: (args: Args) => void } = {};
  for (const [name, action] of Object.entries(map)) {
    actions[`${owner}.${name}`] = action;
    bound[name] = (args) => commit(owner, name, action, args ?? {});
  }
  return bound as Bound<M>;
}

export function defineApp(app: App): App {
  apps[app.id] = app;
  return app;
}

export const appOf = (id: string): App => {
  const app = apps[id];
  if (!app) throw new Error(`no app '${id}' is installed`);
  return app;
};

export const allApps = (): App[] => Object.values(apps);

function lookUp(app: string, name: string): Action<never> {
  const action = actions[`${app}.${name}`];
  if (!action) throw new Error(`app '${app}' has no action '${name}'`);
  return action;
}

/** Commits an action by name as an event of its own. */
export function callNow({ app, action, args }: Call): void {
  commit(app, action, lookUp(app, action), args);
}

/** Runs an action by name inside another one, on the same draft. */
export function callWithin(phone: PhoneState, call: Call, ctx: Parameters<Action>[2]): void {
  (lookUp(call.app, call.action) as unknown as Action)(phone, call.args, ctx);
}
