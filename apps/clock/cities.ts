/** Cities of the world clock, with their IANA zones. */
import type { Locale } from '../kernel/types';

export interface City {
  id: string;
  zone: string;
  name: { [locale in Locale]: string };
  country: { [locale in Locale]: string };
}

const city = (id: string, zone: string, en: string, zh: string, enCountry: string, zhCountry: string): City => ({
  id, zone, name: { en, zh }, country: { en: enCountry, zh: zhCountry },
});

export const CITIES: readonly City[] = [
  city('auckland', 'Pacific/Auckland', 'Auckland', '奥克兰', 'New Zealand', '新西兰'),
  city('athens', 'Europe/Athens', 'Athens', '雅典', 'Greece', '希腊'),
  city('bangkok', 'Asia/Bangkok', 'Bangkok', '曼谷', 'Thailand', '泰国'),
  city('beijing', 'Asia/Shanghai', 'Beijing', '北京', 'China', '中国'),
  city('berlin', 'Europe/Berlin', 'Berlin', '柏林', 'Germany', '德国'),
  city('buenos-aires', 'America/Argentina/Buenos_Aires', 'Buenos Aires', '布宜诺斯艾利斯', 'Argentina', '阿根廷'),
  city('cairo', 'Africa/Cairo', 'Cairo', '开罗', 'Egypt', '埃及'),
  city('casablanca', 'Africa/Casablanca', 'Casablanca', '卡萨布兰卡', 'Morocco', '摩洛哥'),
  city('chicago', 'America/Chicago', 'Chicago', '芝加哥', 'United States', '美国'),
  city('delhi', 'Asia/Kolkata', 'Delhi', '德里', 'India', '印度'),
  city('denver', 'America/Denver', 'Denver', '丹佛', 'United States', '美国'),
  city('dubai', 'Asia/Dubai', 'Dubai', '迪拜', 'United Arab Emirates', '阿联酋'),
  city('dublin', 'Europe/Dublin', 'Dublin', '都柏林', 'Ireland', '爱尔兰'),
  city('helsinki', 'Europe/Helsinki', 'Helsinki', '赫尔辛基', 'Finland', '芬兰'),
  city('hong-kong', 'Asia/Hong_Kong', 'Hong Kong', '香港', 'China', '中国'),
  city('honolulu', 'Pacific/Honolulu', 'Honolulu', '檀香山', 'United States', '美国'),
  city('istanbul', 'Europe/Istanbul', 'Istanbul', '伊斯坦布尔', 'Türkiye', '土耳其'),
  city('jakarta', 'Asia/Jakarta', 'Jakarta', '雅加达', 'Indonesia', '印度尼西亚'),
  city('johannesburg', 'Africa/Johannesburg', 'Johannesburg', '约翰内斯堡', 'South Africa', '南非'),
  city('karachi', 'Asia/Karachi', 'Karachi', '卡拉奇', 'Pakistan', '巴基斯坦'),
  city('kathmandu', 'Asia/Kathmandu', 'Kathmandu', '加德满都', 'Nepal', '尼泊尔'),
  city('lagos', 'Africa/Lagos', 'Lagos', '拉各斯', 'Nigeria', '尼日利亚'),
  city('lima', 'America/Lima', 'Lima', '利马', 'Peru', '秘鲁'),
  city('lisbon', 'Europe/Lisbon', 'Lisbon', '里斯本', 'Portugal', '葡萄牙'),
  city('london', 'Europe/London', 'London', '伦敦', 'United Kingdom', '英国'),
  city('los-angeles', 'America/Los_Angeles', 'Los Angeles', '洛杉矶', 'United States', '美国'),
  city('madrid', 'Europe/Madrid', 'Madrid', '马德里', 'Spain', '西班牙'),
  city('manila', 'Asia/Manila', 'Manila', '马尼拉', 'Philippines', '菲律宾'),
  city('mexico-city', 'America/Mexico_City', 'Mexico City', '墨西哥城', 'Mexico', '墨西哥'),
  city('moscow', 'Europe/Moscow', 'Moscow', '莫斯科', 'Russia', '俄罗斯'),
  city('nairobi', 'Africa/Nairobi', 'Nairobi', '内罗毕', 'Kenya', '肯尼亚'),
  city('new-york', 'America/New_York', 'New York', '纽约', 'United States', '美国'),
  city('oslo', 'Europe/Oslo', 'Oslo', '奥斯陆', 'Norway', '挪威'),
  city('paris', 'Europe/Paris', 'Paris', '巴黎', 'France', '法国'),
  city('perth', 'Australia/Perth', 'Perth', '珀斯', 'Australia', '澳大利亚'),
  city('reykjavik', 'Atlantic/Reykjavik', 'Reykjavik', '雷克雅未克', 'Iceland', '冰岛'),
  city('rome', 'Europe/Rome', 'Rome', '罗马', 'Italy', '意大利'),
  city('santiago', 'America/Santiago', 'Santiago', '圣地亚哥', 'Chile', '智利'),
  city('sao-paulo', 'America/Sao_Paulo', 'São Paulo', '圣保罗', 'Brazil', '巴西'),
  city('seoul', 'Asia/Seoul', 'Seoul', '首尔', 'South Korea', '韩国'),
  city('singapore', 'Asia/Singapore', 'Singapore', '新加坡', 'Singapore', '新加坡'),
  city('sydney', 'Australia/Sydney', 'Sydney', '悉尼', 'Australia', '澳大利亚'),
  city('taipei', 'Asia/Taipei', 'Taipei', '台北', 'China', '中国'),
  city('tokyo', 'Asia/Tokyo', 'Tokyo', '东京', 'Japan', '日本'),
  city('toronto', 'America/Toronto', 'Toronto', '多伦多', 'Canada', '加拿大'),
  city('vancouver', 'America/Vancouver', 'Vancouver', '温哥华', 'Canada', '加拿大'),
  city('vienna', 'Europe/Vienna', 'Vienna', '维也纳', 'Austria', '奥地利'),
  city('warsaw', 'Europe/Warsaw', 'Warsaw', '华沙', 'Poland', '波兰'),
];

const byId = new Map(CITIES.map((c) => [c.id, c]));

export function cityOf(id: string): City {
  const found = byId.get(id);
  if (!found) throw new Error(`no city '${id}'; see clock/cities.ts`);
  return found;
}
