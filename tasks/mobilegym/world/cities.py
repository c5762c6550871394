"""Cities of the world clock: the same as in the phone, `apps/clock/cities.ts`."""

from __future__ import annotations

from dataclasses import dataclass

from mobilegym.world.dates import Locale


@dataclass(frozen=True)
class City:
    id: str
    zone: str  # IANA
    name: dict[Locale, str]


def _city(line: str) -> City:
    key, zone, en, zh = line.strip().split("|")
    return City(key, zone, {"en": en, "zh": zh})


CITIES = tuple(
    _city(line)
    for line in """
    auckland|Pacific/Auckland|Auckland|奥克兰
    athens|Europe/Athens|Athens|雅典
    bangkok|Asia/Bangkok|Bangkok|曼谷
    beijing|Asia/Shanghai|Beijing|北京
    berlin|Europe/Berlin|Berlin|柏林
    buenos-aires|America/Argentina/Buenos_Aires|Buenos Aires|布宜诺斯艾利斯
    cairo|Africa/Cairo|Cairo|开罗
    casablanca|Africa/Casablanca|Casablanca|卡萨布兰卡
    chicago|America/Chicago|Chicago|芝加哥
    delhi|Asia/Kolkata|Delhi|德里
    denver|America/Denver|Denver|丹佛
    dubai|Asia/Dubai|Dubai|迪拜
    dublin|Europe/Dublin|Dublin|都柏林
    helsinki|Europe/Helsinki|Helsinki|赫尔辛基
    hong-kong|Asia/Hong_Kong|Hong Kong|香港
    honolulu|Pacific/Honolulu|Honolulu|檀香山
    istanbul|Europe/Istanbul|Istanbul|伊斯坦布尔
    jakarta|Asia/Jakarta|Jakarta|雅加达
    johannesburg|Africa/Johannesburg|Johannesburg|约翰内斯堡
    karachi|Asia/Karachi|Karachi|卡拉奇
    kathmandu|Asia/Kathmandu|Kathmandu|加德满都
    lagos|Africa/Lagos|Lagos|拉各斯
    lima|America/Lima|Lima|利马
    lisbon|Europe/Lisbon|Lisbon|里斯本
    london|Europe/London|London|伦敦
    los-angeles|America/Los_Angeles|Los Angeles|洛杉矶
    madrid|Europe/Madrid|Madrid|马德里
    manila|Asia/Manila|Manila|马尼拉
    mexico-city|America/Mexico_City|Mexico City|墨西哥城
    moscow|Europe/Moscow|Moscow|莫斯科
    nairobi|Africa/Nairobi|Nairobi|内罗毕
    new-york|America/New_York|New York|纽约
    oslo|Europe/Oslo|Oslo|奥斯陆
    paris|Europe/Paris|Paris|巴黎
    perth|Australia/Perth|Perth|珀斯
    reykjavik|Atlantic/Reykjavik|Reykjavik|雷克雅未克
    rome|Europe/Rome|Rome|罗马
    santiago|America/Santiago|Santiago|圣地亚哥
    sao-paulo|America/Sao_Paulo|São Paulo|圣保罗
    seoul|Asia/Seoul|Seoul|首尔
    singapore|Asia/Singapore|Singapore|新加坡
    sydney|Australia/Sydney|Sydney|悉尼
    taipei|Asia/Taipei|Taipei|台北
    tokyo|Asia/Tokyo|Tokyo|东京
    toronto|America/Toronto|Toronto|多伦多
    vancouver|America/Vancouver|Vancouver|温哥华
    vienna|Europe/Vienna|Vienna|维也纳
    warsaw|Europe/Warsaw|Warsaw|华沙
    """.strip().splitlines()
)

BY_ID = {city.id: city for city in CITIES}
