/** Roles of the tree that ARIA does not have, typed so that JSX takes them. */
export const ROLE = { key: 'key', icon: 'icon', text: 'text' } as unknown as { [role in 'key' | 'icon' | 'text']: 'button' };
