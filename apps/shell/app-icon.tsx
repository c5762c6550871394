/** The picture of an app: its glyph on its colour. */
import type { App } from '../kernel/types';
import { Icon, isIcon } from '../ui/icons';

export function AppIcon({ app, size = 56 }: { app: App; size?: number }) {
  return (
    <span class="app-icon" style={{ width: `${size}px`, height: `${size}px`, borderRadius: `${size * 0.32}px`, backgroundColor: app.color }}>
      <Icon name={isIcon(app.icon) ? app.icon : 'apps'} size={Math.round(size * 0.54)} />
    </span>
  );
}
