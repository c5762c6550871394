/** The active app: its topmost full screen, and the dialogs, sheets and menus that stand above it. */
import { appOf } from '../kernel/app';
import { Layer } from '../kernel/layer';
import { stackOf } from '../kernel/nav';
import { os } from '../kernel/os';
import type { AppId, PhoneState, Route, Screen } from '../kernel/types';

interface Placed {
  route: Route;
  screen: Screen;
  depth: number;
}

function placed(phone: PhoneState, app: AppId): Placed[] {
  return stackOf(phone, app).map((route, depth) => {
    const screen = appOf(app).screens[route.screen];
    if (!screen) throw new Error(`/os/nav/stacks/${app}/${depth}/screen: app '${app}' has no screen '${route.screen}'`);
    return { route, screen, depth };
  });
}

/** The routes that can be seen, from the bottom up. */
export function layersOf(phone: PhoneState, app: AppId): Placed[] {
  const all = placed(phone, app);
  const base = all.findLastIndex((l) => (l.screen.present ?? 'full') === 'full');
  return all.slice(Math.max(0, base));
}

export function View({ app, layer, phone }: { app: AppId; layer: Placed; phone: PhoneState }) {
  const Content = layer.screen.view;
  return (
    <Layer.Provider value={`${app}/${layer.route.screen}`}>
      <Content phone={phone} params={layer.route.params} />
    </Layer.Provider>
  );
}

export function Stage({ phone, app }: { phone: PhoneState; app: AppId }) {
  const layers = layersOf(phone, app);
  const top = layers.length - 1;
  return (
    <div class="stage">
      {layers.map((layer, i) => {
        const over = (layer.screen.present ?? 'full') !== 'full';
        return (
          <div key={`${app}/${layer.depth}/${layer.route.screen}`} class="layer" data-clip="" aria-hidden={i < top ? 'true' : undefined}>
            {over && <div class="veil" role="presentation" onClick={() => os.back({})} />}
            <View app={app} layer={layer} phone={phone} />
          </div>
        );
      })}
    </div>
  );
}
