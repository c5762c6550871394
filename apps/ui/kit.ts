/** Everything an app's screens are made of. */
export * from './layout';
export * from './rows';
export * from './controls';
export * from './layers';
export { Icon, type IconName } from './icons';
